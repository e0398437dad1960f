// Real products from Debian's packages, for suites that talk to them, and what happens where they are not installed.
import { accessSync, constants } from 'node:fs';
import { describeWith } from './describe-with.ts';

/** A suite over a product of Debian's. */
export function describeInstalled(
  name: string,
  { packages, files }: { packages: string; files: readonly string[] },
  body: () => void,
): void {
  const missing = files.find((file) => !canRead(file));
  const why = missing === undefined ? undefined : `${missing} cannot be read; apt-get install ${packages}`;
  describeWith(name, why, body);
}

function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
