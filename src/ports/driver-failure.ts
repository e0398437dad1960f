// Declares what a driver throws for a failure that a retry will not fix. Its text goes to the log, not to a caller.
import type { FailureOptions, Part } from './unavailable.ts';

export class DriverFailure extends Error {
  override readonly name = 'DriverFailure';
  readonly part: Part | undefined;

  constructor(message: string, { cause, part }: FailureOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.part = part;
  }
}
