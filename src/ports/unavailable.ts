// Declares what a driver throws when its service cannot be used now but may be later. It is answered with 503.
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  readonly part: Part | undefined;

  constructor(message: string, { cause, part }: FailureOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.part = part;
  }
}

/** The gateway itself has no room at this moment. The message is for people. */
export class Busy extends Unavailable {
  override readonly name = 'Busy';
}

/** Nothing more can be stored until somebody makes space. Reads go on. */
export class DiskFull extends Unavailable {
  override readonly name = 'DiskFull';
}

/** What the gateway depends on. While one of them fails, every request meets the same failure. */
export type Part = 'database' | 'redis' | 'bucket' | 'files';

export interface FailureOptions {
  cause?: unknown;
  /** Absent where the failure says nothing about the next request. */
  part?: Part | undefined;
}
