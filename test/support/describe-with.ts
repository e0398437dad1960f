// Suites over something real: what happens where it is missing. One rule for servers, products and browsers.
import { describe, it } from 'vitest';

/** `describe` where nothing is missing; else one line, or with REQUIRE_SERVICES=1 a failure. */
export function describeWith(name: string, missing: string | undefined, body: () => void, retry = 0): void {
  if (missing === undefined) {
    describe(name, { retry }, body);
  } else if (process.env['REQUIRE_SERVICES'] === '1') {
    it(`${name}: has what it needs`, () => {
      throw new Error(`${missing}, and REQUIRE_SERVICES=1`);
    });
  } else {
    process.stderr.write(`SKIPPED ${name}: ${missing}\n`);
    describe.skip(name, () => it('needs what is missing'));
  }
}
