// Makes the pictures of public jots in the background, one at a time, as anybody on the Internet sees the page. decision: 050
import { createLru } from '../../memory/lru.ts';
import { toHex } from '../../crypto/encoding.ts';
import { describe } from '../../http/errors.ts';
import { BrowserStartFailed } from '../../ports/browser.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Jot } from '../../ports/records.ts';
import type { JotRecords } from '../model/jot-records.ts';
import { createDeployFolder, type Manifest } from '../model/manifest.ts';
import type { JotReader } from '../serving/reader.ts';
import { createServe } from '../serving/serve.ts';
import { readTarget } from '../serving/target.ts';

/** Further jots get no picture before somebody looks at the list again. */
const MAX_WAITING = 100;
const MAX_BYTES = 256 * 1024;
/** What a page may load for its picture. */
const MAX_LOADED_BYTES = 32 * 1024 * 1024;
const MAX_REMEMBERED = 1_000;
const MAX_TRIES = 3;

export interface Thumbnails {
  /** Asks for the picture of the jot, if the jot lacks one. Returns at once. */
  request(jot: Jot): void;
  /** Resolves to null where the jot has no picture. */
  read(jot: Jot): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes the picture that a jot had before a write, unless the jot or one of its earlier versions still has it. */
  discard(before: Jot | null, after: Jot | null, manifest?: Pick<Manifest, 'earlier'>): Promise<void>;
  /** Resolves when no picture is being made. */
  idle(): Promise<void>;
}

type Needs = Pick<Ports, 'blobs' | 'camera' | 'clock' | 'config' | 'log' | 'random'> & {
  records: JotRecords;
  reader: JotReader;
};

export function createThumbnails(deps: Needs): Thumbnails {
  const { blobs, camera, config, log, random, reader, records } = deps;
  const origin = config.JOTS_ORIGIN ?? config.SERVER_PUBLIC_URL;
  const serve = createServe({ reader });
  /** The jots that wait for their picture. */
  const waiting = new Set<string>();
  /** How often a manifest had its turn in this process: a page that fails is not tried again and again. */
  const tries = createLru<number>(MAX_REMEMBERED);
  let working: Promise<void> | null = null;

  const lacks = ({ access, manifest, thumbnail }: Jot): boolean =>
    access === 'public' && thumbnail === null && (tries.get(manifest) ?? 0) < MAX_TRIES;

  /** The page may have the files of its own jot, and nothing else. */
  function createAnswer(jot: Jot): (url: string) => Promise<Response | null> {
    let left = MAX_LOADED_BYTES;
    return async function answer(url) {
      if (URL.parse(url)?.origin !== new URL(origin).origin) return null;
      const target = readTarget(url);
      if (target.kind !== 'file' || target.name !== jot.name) return null;
      const response = await serve({
        jot,
        path: target.path,
        ownOrigin: config.JOTS_ORIGIN !== undefined,
        head: false,
        header: () => undefined,
      });
      left -= Number(response?.headers.get('content-length') ?? 0);
      if (left >= 0) return response;
      await response?.body?.cancel();
      return null;
    };
  }

  async function takePicture(name: string): Promise<void> {
    const jot = await records.get(name);
    if (camera === null || jot === null || !lacks(jot)) return;
    tries.set(jot.manifest, (tries.get(jot.manifest) ?? 0) + 1, 1);
    const image = await camera.photograph({ url: `${origin}/j/${name}/`, answer: createAnswer(jot) });
    if (image.length > MAX_BYTES) return;
    const key = `${createDeployFolder(name, deps)}thumbnail`;
    await blobs.put(key, image);
    if (!(await attach(jot, key))) await blobs.delete(key);
  }

  /** Returns false where another version is live by now, or the jot is locked or gone. */
  async function attach({ name, manifest }: Jot, key: string): Promise<boolean> {
    for (;;) {
      const seen = await records.get(name);
      if (seen?.manifest !== manifest || seen.access !== 'public' || seen.thumbnail !== null) return false;
      const version = toHex(random.bytes(16));
      if (await records.put({ ...seen, thumbnail: key, version }, seen.version)) return true;
    }
  }

  async function work(): Promise<void> {
    for (const name of waiting) {
      waiting.delete(name);
      try {
        await takePicture(name);
      } catch (error) {
        // A machine without a browser is no failure of the jot.
        const level = error instanceof BrowserStartFailed ? 'debug' : 'warn';
        log.write(level, 'a jot got no picture', { jot: name, ...describe(error) });
      }
    }
    working = null;
  }

  return {
    request(jot) {
      if (camera === null || !lacks(jot) || waiting.size >= MAX_WAITING) return;
      waiting.add(jot.name);
      working ??= work();
    },

    async read({ thumbnail }) {
      const blob = thumbnail === null ? null : await blobs.get(thumbnail);
      return blob === null ? null : new Uint8Array(await new Response(blob.body).arrayBuffer());
    },

    async discard(before, after, manifest) {
      const key = before?.thumbnail ?? null;
      if (key === null || key === after?.thumbnail) return;
      if (manifest?.earlier.some(({ picture }) => picture?.key === key) === true) return;
      // The sweep removes what is left.
      await blobs
        .delete(key)
        .catch((error: unknown) =>
          log.write('warn', 'a picture of a jot was left for the sweep', { key, ...describe(error) }),
        );
    },

    idle: async () => working ?? undefined,
  };
}
