// Keeps the order of calls that run at the same time, so that a call is judged by the reads before it. decision: 063

/** The place of one call. */
export interface Place {
  /** Says what the call reads from outside, or null. The first word holds, and it has to come. */
  tell(read: string | null): void;
  /** The last call before this one that reads from outside, or null. Resolves when all of them have told. */
  before(): Promise<string | null>;
}

/** The place of a call that no other one runs beside. */
export const ALONE: Place = { tell() {}, before: async () => null };

/** Gives out places, one after the other. */
export type NextPlace = () => Place;

export function createReadingOrder(): NextPlace {
  let last = Promise.resolve<string | null>(null);
  return function nextPlace() {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    last = promise.then(async (read) => read ?? before);
    return { tell: resolve, before: () => before };
  };
}
