// Real products from Debian's packages, for suites that talk to them, and what happens where they are not installed.
import { accessSync, constants } from 'node:fs';
import { describe, it } from 'vitest';

/** `describe` where its files can be read; else one line, or with REQUIRE_SERVICES=1 a failure. */
export function describeInstalled(
  name: string,
  { packages, files }: { packages: string; files: readonly string[] },
  body: () => void,
): void {
  const missing = files.find((file) => !canRead(file));
  if (missing === undefined) {
    describe(name, body);
  } else if (process.env['REQUIRE_SERVICES'] === '1') {
    it(`${name}: ${packages} is installed`, () => {
      throw new Error(`${missing} cannot be read, and REQUIRE_SERVICES=1; apt-get install ${packages}`);
    });
  } else {
    process.stderr.write(`SKIPPED ${name}: ${missing} cannot be read; apt-get install ${packages}\n`);
    describe.skip(name, () => it('needs its server'));
  }
}

function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
