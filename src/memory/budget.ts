// Room in memory for what calls read and answer: one person's large ones must not end the process for everybody.
import { ROOM_UNCOUNTED_BYTES } from '../config/limits.ts';

export interface Room {
  /** Of one request. */
  open(userId: string): Hold;
}

export interface Hold {
  /** At what they take once they are text, values and text again. */
  read(bytes: Uint8Array): void;
  take(weight: number): void;
  /** Undefined when more may be read at once; otherwise it settles when there is room, and rejects when the signal aborts. */
  turn(signal?: AbortSignal): Promise<void> | undefined;
  /** More than there is room for, even if nobody else had any. */
  isTooMuch(): boolean;
  /** Of the same request, but given back by itself. */
  part(): Hold;
  close(): void;
}

interface Place {
  userId: string;
  held: number;
  /** From its first large piece on; small ones cost a comparison. */
  isCounted: boolean;
  /** Of its holds the one that goes on when the request is the oldest. */
  first: Hold | undefined;
  waiting: { hold: Hold; goOn: () => void }[];
}

// What whoever goes on may read before it is looked at again.
const PIECE_WEIGHT = 2 * 1024 * 1024;

/**
 * Who has no room is not read from, and the wire does the rest. A person has half of the room, so that there is some for
 * the others; the oldest request may always go on, so that each comes to its end.
 */
export function createRoom(size: number): Room {
  const uncounted = size === Infinity ? Infinity : ROOM_UNCOUNTED_BYTES;
  const places = new Set<Place>();
  const persons = new Map<string, number>();
  let held = 0;

  function mayGoOn(place: Place, hold: Hold): boolean {
    if (held <= size && (persons.get(place.userId) ?? 0) <= size / 2) return true;
    const [oldest] = places;
    return place === oldest && (place.first ??= hold) === hold;
  }

  function count(userId: string, weight: number): void {
    held += weight;
    const own = (persons.get(userId) ?? 0) + weight;
    if (own === 0) persons.delete(userId);
    else persons.set(userId, own);
  }

  function add(place: Place, weight: number): void {
    place.held += weight;
    if (place.isCounted) {
      count(place.userId, weight);
      // Also by who gives nothing back: its turn is over.
      if (weight <= 0) wake();
    } else if (place.held > uncounted) {
      place.isCounted = true;
      places.add(place);
      count(place.userId, place.held);
    }
  }

  function wake(): void {
    let spare = size - held;
    for (const place of places) {
      const next = place.waiting.find(({ hold }) => mayGoOn(place, hold));
      if (next === undefined) continue;
      // A call may read several answers at once, and ends with the last of them.
      const { going = [], waiting = [] } = Object.groupBy(place.waiting, ({ hold }) =>
        hold === next.hold ? 'going' : 'waiting',
      );
      place.waiting = waiting;
      for (const { goOn } of going) goOn();
      spare -= PIECE_WEIGHT;
      if (spare <= 0) return;
    }
  }

  function holdOf(place: Place, end: (own: number) => void): Hold {
    let own = 0;
    const take = (weight: number): void => {
      own += weight;
      add(place, weight);
    };
    const hold: Hold = {
      take,
      read: (bytes) => take(place.held + bytes.length <= uncounted ? bytes.length : weightOf(bytes)),
      turn: (signal) => (!place.isCounted || mayGoOn(place, hold) ? undefined : wait(place, hold, signal)),
      isTooMuch: () => own > size,
      part: () => holdOf(place, (given) => add(place, -given)),
      close() {
        if (place.first === hold) place.first = undefined;
        // Who gave up waiting would take the turn of those who still do.
        place.waiting = place.waiting.filter((each) => each.hold !== hold);
        end(own);
        own = 0;
      },
    };
    return hold;
  }

  return {
    open(userId) {
      const place: Place = { userId, held: 0, isCounted: false, first: undefined, waiting: [] };
      return holdOf(place, () => {
        if (places.delete(place)) add(place, -place.held);
        // What is read too late is not counted: nobody would give it back.
        place.isCounted = false;
        place.held = -Infinity;
      });
    },
  };
}

async function wait(place: Place, hold: Hold, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiter = { hold, goOn: resolve };
  // No turn is given to who has left: it would never end.
  const leave = () => {
    place.waiting = place.waiting.filter((other) => other !== waiter);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', leave);
  place.waiting.push(waiter);
  await promise.finally(() => signal?.removeEventListener('abort', leave));
}

const BYTE_WEIGHT = 4;
const VALUE_WEIGHT = 32;

/** Each value of JSON begins behind one of these: `{},` takes 64 bytes, and twenty times its text. */
function weightOf(bytes: Uint8Array): number {
  let values = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x7b || byte === 0x5b) values++;
  return bytes.length * BYTE_WEIGHT + values * VALUE_WEIGHT;
}
