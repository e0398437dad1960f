// Takes secrets or personal data out of the body of an answer on its way to the caller. Holds back only where a find may go on.
// decision: 063
import type { ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { createJsonCleaner, createTextCleaner } from '../../../src/json/sensitive-stream.ts';
import { type Removed, removeSensitive, type Wanted } from '../../../src/json/sensitive.ts';
import type { Answer } from './answer.ts';
import { checkedHeaders, REDACTED_TRAILER } from './headers.ts';

/** How a body can be read. */
interface Checkable {
  isJson: boolean;
  /** Empty for one that is not packed. */
  encoding: string;
}

const JSON_TYPE = /^application\/(?:(?:x-)?ndjson|jsonl|json(?:-seq)?|[\w.+-]+\+json)$/;
const TEXT_TYPE =
  /^(?:text\/[\w.+-]+|application\/(?:(?:x-)?(?:javascript|yaml|sh|sql|toml|www-form-urlencoded)|ecmascript|graphql|xml)|[\w.-]+\/[\w.+-]+\+(?:xml|yaml))$/;
/** Each event may hold a few letters of a secret. */
const EVENTS = 'text/event-stream';
/** In these a letter may take several bytes, or another one than in ASCII. */
const WIDE = /^(?:utf-?(?:7|16|32)|ucs-?[24]|ebcdic|ibm|cp037)/;

const UNPACK = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

const isPacking = (encoding: string): encoding is keyof typeof UNPACK => Object.hasOwn(UNPACK, encoding);

/** Says how the body of an answer is read, or what it is where it cannot be. */
function howToCheck(status: number, headers: readonly string[]): Checkable | string {
  const [name = '', ...parameters] = valueOf(headers, 'content-type').split(';');
  const type = name.trim();
  const encoding = valueOf(headers, 'content-encoding');
  const charset = /charset\s*=\s*"?([\w.:-]+)/.exec(parameters.join(';'))?.[1] ?? '';
  const isJson = JSON_TYPE.test(type);
  if (status === 206) return 'a part of a document';
  if (type === '') return 'content without a type';
  if (type === EVENTS) return 'a stream of events';
  if (!isJson && !TEXT_TYPE.test(type))
    return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type)
      ? `content of the type ${type}`
      : 'content of this type';
  if (WIDE.test(charset)) return 'text in this alphabet';
  if (encoding === '' || encoding === 'identity') return { isJson, encoding: '' };
  return isPacking(encoding) ? { isJson, encoding } : 'content in this encoding';
}

function valueOf(headers: readonly string[], wanted: string): string {
  return headers
    .filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === wanted)
    .join(',')
    .trim()
    .toLowerCase();
}

interface Ends {
  /** More of the answer can be taken. */
  onDrain: () => void;
  /** The answer is something that cannot be checked. Nothing of it was given to the caller. */
  onWithheld: (what: string) => void;
  /** The body is not what its head says, and has to break off. */
  onFailure: () => void;
}

/** Has the bytes of one body, and gives what is left of them to the answer. */
interface Body {
  write: (chunk: Buffer) => boolean;
  end: (done: () => void) => void;
}

/** Stands before the answer. What cannot be checked is refused at its first byte: an empty body needs no check. */
export function createCheckedAnswer(
  answer: Answer,
  outgoing: ServerResponse,
  wanted: Wanted,
  ends: Ends,
): Answer {
  const removed: Removed = new Map();
  const clean = (text: string): string => removeSensitive(text, wanted, removed);
  let body: Body | null = null;
  let unchecked = { what: '', begin: () => {} };

  function openBody({ isJson, encoding }: Checkable): Body {
    const cleaner = isJson ? createJsonCleaner(wanted, removed) : createTextCleaner(wanted, removed);
    // Every form is in ASCII, so the bytes of other letters pass as they are, whatever the alphabet of a text is.
    const letters = isJson ? 'utf8' : 'latin1';
    const decoder = new StringDecoder(letters);
    const give = (text: string): boolean => text === '' || answer.write(Buffer.from(text, letters));
    const write = (chunk: Buffer): boolean => {
      // Text has no zero bytes, unless each letter takes several.
      if (!chunk.includes(0)) return give(cleaner.push(decoder.write(chunk)));
      ends.onFailure();
      return false;
    };
    const end = (done: () => void): void => {
      give(cleaner.push(decoder.end()) + cleaner.end());
      const found = [...removed].map(([kind, count]) => `${kind}=${count}`);
      answer.end(done, found.length === 0 ? undefined : { [REDACTED_TRAILER]: found.join(', ') });
    };
    return isPacking(encoding) ? unpack(encoding, { write, end }) : { write, end };
  }

  function unpack(encoding: keyof typeof UNPACK, { write, end }: Body): Body {
    const unpacking = UNPACK[encoding]();
    const resume = (): void => void unpacking.resume();
    unpacking.on('data', (chunk: Buffer) => {
      if (!write(chunk)) unpacking.pause();
    });
    unpacking.on('drain', ends.onDrain);
    unpacking.on('error', ends.onFailure);
    outgoing.on('drain', resume);
    outgoing.once('close', () => unpacking.destroy());
    return {
      write: (chunk) => unpacking.write(chunk),
      end(done) {
        unpacking.once('end', () => end(done));
        // It closes without an end where the caller has left.
        unpacking.once('close', done);
        unpacking.end();
      },
    };
  }

  return {
    begin(status, message, headers) {
      const how = howToCheck(status, headers);
      const cleaned = headers.map((part, index) => (index % 2 === 0 ? part : clean(part)));
      if (typeof how === 'string') {
        unchecked = { what: how, begin: () => answer.begin(status, clean(message), cleaned) };
        return;
      }
      body = openBody(how);
      answer.begin(status, clean(message), checkedHeaders(cleaned));
    },

    write(chunk) {
      if (body !== null) return body.write(chunk);
      ends.onWithheld(unchecked.what);
      return false;
    },

    end(done = () => {}) {
      if (body !== null) return body.end(done);
      unchecked.begin();
      answer.end(done);
    },
  };
}
