// Tests npm run catalog: what scripts and people read about the tools.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { createJotsIntegration } from '../../src/jots/integration.ts';
import type { Jots } from '../../src/jots/jots.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { ROOT } from '../support/gateway-process.ts';

const registry = createRegistry([...integrations, createJotsIntegration({} as Jots)]);

it('prints one JSON array of every tool and nothing else', () => {
  const output = execFileSync('npm', ['run', '--silent', 'catalog', '--', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const tools: Record<string, unknown>[] = JSON.parse(output);
  expect(tools.map(({ name }) => name)).toEqual(registry.tools.map(({ tool }) => tool.name));
  for (const tool of tools)
    expect(Object.keys(tool), String(tool['name'])).toEqual(
      expect.arrayContaining(['integration', 'name', 'description', 'access', 'schema']),
    );
  expect(tools.find(({ name }) => name === 'sentry_get_issue')).toMatchObject({
    method: 'GET',
    path: '/api/0/organizations/{organizationSlug}/issues/{issueId}/',
  });
});

it('keeps docs/tools.md up to date with the tools', () => {
  const page = readFileSync(join(ROOT, 'docs/tools.md'), 'utf8');
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const expected = registry.integrations.flatMap((integration) =>
    registry.toolsOf(integration).map(({ name }) => name),
  );
  expect(named, 'run npm run catalog').toEqual(expected);
  for (const { name, auth } of integrations) {
    if (auth.type !== 'oauth2') continue;
    const client = page.split('\n').find((line) => line.includes(`\`${name.toUpperCase()}_CLIENT_ID\``));
    expect(
      [...(client ?? '').matchAll(/`(\S+)`/g)].slice(1).map(([, scope]) => scope),
      name,
    ).toEqual(auth.scopes);
  }
});

it.each(['README.md', 'docs/edge.md', 'docs/sizing.md'])('finds the number of integrations in %s', (file) => {
  const [, number] = / (\d+) integrations/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  expect(Number(number), `the number of integrations in ${file}`).toBe(registry.integrations.length);
});
