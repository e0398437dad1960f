// Files of jots that memory has whole, without the framework: each of its layers costs as much as the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../src/deps.ts';
import { createFromMemory, type FileInMemory, type Read } from '../../src/jots/serving/cached-file.ts';
import type { HeaderRecord } from '../../src/jots/serving/headers.ts';
import { createRecordRequest, createRequestIds } from '../../src/http/observe.ts';

export interface JotFiles {
  mayTake(incoming: IncomingMessage): boolean;
  /** False when the app has to answer; then nothing has been sent. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean>;
  /** The same of what has been read elsewhere. */
  give(read: Read, send: (file: FileInMemory) => void): Promise<boolean>;
}

const ROUTE = '/j/:name/*';
// What else a host may be, and what is none, the app tells apart. RFC 9112 §3.2
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-5]?\d{1,4})?$/i;

export function createJotFiles(deps: Deps): JotFiles {
  const fromMemory = createFromMemory(deps);
  const nextId = createRequestIds(deps.random);
  const record = createRecordRequest(deps);
  /** As Node writes them without looking at each. */
  const lists = new WeakMap<HeaderRecord, string[]>();

  function listOf(headers: HeaderRecord): string[] {
    let list = lists.get(headers);
    if (list === undefined) lists.set(headers, (list = Object.entries(headers).flat()));
    return list;
  }

  async function give(read: Read, send: (file: FileInMemory) => void): Promise<boolean> {
    if (!PLAIN_HOST.test(read.host)) return false;
    const started = deps.clock.millis();
    // What fails here fails for the app too, which says so.
    const file = await fromMemory(read).catch(() => null);
    if (file === null) return false;
    send(file);
    record({ requestId: nextId(), method: 'GET', route: ROUTE, status: file.status, started });
    return true;
  }

  return {
    give,
    mayTake: ({ method, url = '' }) => method === 'GET' && url.startsWith('/j/'),
    async answer({ url = '', headers }, outgoing) {
      if (headers.range !== undefined || headers['service-worker'] !== undefined) return false;
      const { host = '', 'if-none-match': ifNoneMatch } = headers;
      return give({ target: url, host, ifNoneMatch }, (file) => {
        outgoing.writeHead(file.status, listOf(file.headers));
        outgoing.end(file.body);
      });
    },
  };
}
