// Tests that docs/threats.md names existing tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const TEST = join(import.meta.dirname, '..');
const page = readFileSync(join(TEST, '../docs/threats.md'), 'utf8');

it('docs/threats.md names existing tests, and at least one for every threat', () => {
  const rows = page.split('## Deliberate')[0]?.match(/^\| (?!Threat|---).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const named = [
      ...row.matchAll(
        /`((?:accounts|calls|examples|spec|proxy|node|contracts|fuzz|hard|clients|events|imports|keys|notices|policy|people|portal|scim|scripts|sets)\/[a-z0-9-]+)`/g,
      ),
    ];
    expect([row, named.length > 0]).toEqual([row, true]);
    for (const [, name] of named)
      expect([
        name,
        ['.test.ts', '.fuzz.ts', '.ts'].some((end) => existsSync(join(TEST, `${name}${end}`))),
      ]).toEqual([name, true]);
  }
});
