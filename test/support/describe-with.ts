// Describes suites that need a real server, product or browser. The same rule applies to all of them when it
// is missing.
import { describe, it } from 'vitest';

interface Options {
  retry?: number | undefined;
  /** Runs beside the other concurrent suites of the file. */
  concurrent?: boolean | undefined;
  /** Why CI could not install it, such as a registry that cannot be reached. Then REQUIRE_SERVICES does not count. */
  excuse?: string | undefined;
}

/**
 * Describes the suite when nothing is missing. Otherwise prints one line and skips, or fails with
 * REQUIRE_SERVICES=1.
 */
export function describeWith(
  name: string,
  missing: string | undefined,
  body: () => void,
  { concurrent = false, excuse, retry = 0 }: Options = {},
): void {
  if (missing === undefined) {
    describe(name, { concurrent, retry }, body);
  } else if (process.env['REQUIRE_SERVICES'] === '1' && excuse === undefined) {
    it(`${name}: finds what it needs`, () => {
      throw new Error(`${missing}, and REQUIRE_SERVICES=1`);
    });
  } else {
    process.stderr.write(`SKIPPED ${name}: ${excuse ?? missing}\n`);
    describe.skip(name, () => it('needs something that is missing here'));
  }
}
