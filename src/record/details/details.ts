// Keeps the arguments and results of calls for a day: without secrets, sealed, and written after the caller has the answer.
// decision: 040
import * as z from 'zod';
import {
  CALL_ARGUMENT_CHARACTERS,
  CALL_DETAILS_PER_PERSON,
  CALL_DETAILS_PERSON_CHARACTERS,
  CALL_DETAILS_SECONDS,
  CALL_DETAILS_WAITING,
  CALL_DETAILS_WAITING_PER_PERSON,
  CALL_DETAILS_WRITE_MS,
  CALL_RESULT_CHARACTERS,
} from '../model/limits.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import { describe } from '../../http/errors.ts';
import { mainArgument } from '../../kit/main-argument.ts';
import { parseJson } from '../../json/json.ts';
import type { CallDetailsRecord } from '../../ports/call-details.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Copy, copyValue, withoutCredential } from './copy.ts';

/** What a call brings. It is copied at once. */
export interface CallContent {
  args: unknown;
  /** Absent for a call without a result. */
  result?: unknown;
  /** The expression that chose a part of the result. */
  select?: string | undefined;
  /** The secrets of the connection, which are removed. */
  secrets?: (() => readonly string[]) | undefined;
}

/** A place for the details of one call. `id` is for its audit row. */
export interface DetailsPlace {
  id: string;
  fill(content: CallContent): void;
}

const copied = z.object({ value: z.unknown(), isCut: z.boolean(), withheld: z.array(z.string()) });
const Content = z.object({ args: copied, result: copied.nullable(), select: z.string().nullable() });
export type OpenedDetails = z.infer<typeof Content> & { expiresAt: number };

export interface CallDetails {
  /** False where the operator keeps nothing, and where no rows are stored that could name details. */
  isOn: boolean;
  /** Returns null when the details of this call are not kept, because too many others wait already. */
  begin(userId: string): DetailsPlace | null;
  /** Returns null for what is not there any more, and for what no key opens. */
  open(userId: string, id: string): Promise<OpenedDetails | null>;
  /** Finds what each of these calls was about, as far as its arguments are kept and tell it. */
  subjects(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Writes everything that waits. */
  flush(): Promise<void>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & { seal: Seal };

interface Waiting {
  id: string;
  at: number;
  text: string;
}

const MAX_PORTION_CHARACTERS = 500_000;
const MOST = { calls: CALL_DETAILS_PER_PERSON, characters: CALL_DETAILS_PERSON_CHARACTERS };

/** The place that the details of a call are bound to. */
export const placeOfDetails = (userId: string, id: string): Place => [userId, '', `call:${id}`];

export function createCallDetails({ clock, config, log, random, seal, store }: Needs): CallDetails {
  const isOn = config.CALL_DETAILS && config.AUDIT_LOG_DEST === 'database';
  let waiting = new Map<string, Waiting[]>();
  let count = 0;
  let hurry = new AbortController();
  let writing: Promise<void> | null = null;

  function writeSoon(): void {
    writing ??= clock
      .sleep(CALL_DETAILS_WRITE_MS, hurry.signal)
      .then(writeAll)
      .finally(() => {
        writing = null;
        if (count > 0) writeSoon();
      });
  }

  async function writeAll(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    count = 0;
    for (const [userId, calls] of taken) {
      try {
        for (const portion of portionsOf(calls)) {
          const records = await Promise.all(portion.map((call) => sealCall(userId, call)));
          await store.callDetails.keep(userId, records, MOST);
        }
      } catch (error) {
        // The audit rows are what counts. Details that are lost are as good as expired.
        log.write('warn', 'details of calls were not kept', { calls: calls.length, ...describe(error) });
      }
      // Lets requests run between two people.
      await clock.turn();
    }
  }

  async function sealCall(userId: string, { id, at, text }: Waiting): Promise<CallDetailsRecord> {
    const sealed = await seal.seal(text, placeOfDetails(userId, id));
    return { id, created_at: at, expires_at: at + CALL_DETAILS_SECONDS, sealed };
  }

  async function openRecord(userId: string, record: CallDetailsRecord): Promise<OpenedDetails | null> {
    const text = await seal.open(record.sealed, placeOfDetails(userId, record.id));
    const content = text === null ? null : Content.safeParse(parseJson(text));
    return content?.success === true ? { ...content.data, expiresAt: record.expires_at } : null;
  }

  /** When the queue is full, drops the newest details of the person with the most, so that nobody fills it alone. */
  function hasRoom(own: readonly Waiting[]): boolean {
    if (own.length >= CALL_DETAILS_WAITING_PER_PERSON) return false;
    if (count < CALL_DETAILS_WAITING) return true;
    let longest: Waiting[] = [];
    for (const calls of waiting.values()) if (calls.length > longest.length) longest = calls;
    if (longest.length <= own.length + 1) return false;
    longest.pop();
    count--;
    return true;
  }

  async function flush(): Promise<void> {
    hurry.abort();
    hurry = new AbortController();
    await writing;
    if (count > 0) await writeAll();
  }

  return {
    isOn,

    begin(userId) {
      if (!isOn) return null;
      const own = waiting.get(userId) ?? [];
      if (!hasRoom(own)) return null;
      const call: Waiting = { id: random.uuid(), at: clock.now(), text: '' };
      own.push(call);
      waiting.set(userId, own);
      count++;
      return {
        id: call.id,
        fill(content) {
          call.text = write(content);
          writeSoon();
        },
      };
    },

    async open(userId, id) {
      const find = () => store.callDetails.get(userId, id, clock.now());
      let record = await find();
      // Somebody who looks at a call that is just over wants what still waits here.
      if (record === null && writing !== null) {
        await flush();
        record = await find();
      }
      return record && openRecord(userId, record);
    },

    async subjects(userId, ids) {
      const found = new Map<string, string>();
      if (!isOn) return found;
      for (const record of await store.callDetails.list(userId, ids, clock.now())) {
        const subject = mainArgument((await openRecord(userId, record))?.args.value);
        if (subject !== null) found.set(record.id, subject);
      }
      return found;
    },

    flush,
  };
}

function write({ args, select, secrets, ...given }: CallContent): string {
  const known = secrets?.() ?? [];
  const copy = (value: unknown, most: number) => toJson(withoutCredential(copyValue(value, most), known));
  const result = 'result' in given ? copy(given.result, CALL_RESULT_CHARACTERS) : 'null';
  return `{"args":${copy(args, CALL_ARGUMENT_CHARACTERS)},"result":${result},"select":${JSON.stringify(select ?? null)}}`;
}

const toJson = ({ json, ...facts }: Copy): string => `{"value":${json},${JSON.stringify(facts).slice(1)}`;

/** One write holds the store up only for a moment. */
function* portionsOf(calls: readonly Waiting[]): Generator<Waiting[]> {
  let portion: Waiting[] = [];
  let characters = 0;
  for (const call of calls) {
    if (characters > 0 && characters + call.text.length > MAX_PORTION_CHARACTERS) {
      yield portion;
      portion = [];
      characters = 0;
    }
    portion.push(call);
    characters += call.text.length;
  }
  if (portion.length > 0) yield portion;
}
