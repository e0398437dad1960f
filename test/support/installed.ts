// Describes suites that need a real product from Debian's packages, and skips them where it is not installed.
import { accessSync, constants } from 'node:fs';
import { describeWith } from './describe-with.ts';

/** Describes a suite over a Debian package. */
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
