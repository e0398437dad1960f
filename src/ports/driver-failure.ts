// What a driver throws when it fails in a way that waiting does not mend. Its words are for the log, not for a caller.
export class DriverFailure extends Error {
  override readonly name = 'DriverFailure';
}
