// Declares what a driver throws when its service cannot be reached now but may be later. It is answered with 503.
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}

/** The gateway itself has no room at this moment. The message is for people. */
export class Busy extends Unavailable {
  override readonly name = 'Busy';
}
