// Declares what a driver throws for a failure that a retry will not fix. Its text goes to the log, not to a caller.
export class DriverFailure extends Error {
  override readonly name = 'DriverFailure';
}
