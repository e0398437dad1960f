// Stores blobs in a bucket of any S3-compatible store, with path-style addresses.
import { AwsClient } from 'aws4fetch';
import type { Blobs } from '../../src/ports/blobs.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { type Part, Unavailable } from '../../src/ports/unavailable.ts';
import { assertKey, toPrefix } from './keys.ts';
import { putInParts } from './parts.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface S3Options {
  /** For example https://s3.eu-central-1.amazonaws.com */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** What the bucket is to the gateway, for its errors. */
  part?: Part | undefined;
}

const REFUSALS = new Set([301, 307, 401, 403]);

export function createS3Blobs({ endpoint, bucket, part, ...credentials }: S3Options): Blobs {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 3 });
  const base = `${endpoint.replace(/\/+$/, '')}/${bucket}`;

  async function ask(what: string, address: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await client.fetch(address, init);
    } catch (cause) {
      throw new Unavailable(`[s3] cannot ${what}`, { cause, part });
    }
    if (response.ok || response.status === 404 || response.status === 416) return response;
    const reason = `[s3] cannot ${what}: ${response.status} ${await codeOf(response)}`;
    if (response.status >= 500) throw new Unavailable(reason, { part });
    // The store refuses the key or the bucket, and not this request alone.
    throw new DriverFailure(reason, { part: REFUSALS.has(response.status) ? part : undefined });
  }

  /** A 404 means that the key does not exist, unless the bucket itself is missing: that is an error. */
  async function find(what: string, address: string, init?: RequestInit): Promise<Response | null> {
    const response = await ask(what, address, init);
    if (response.status !== 404) return response;
    const code = await codeOf(response);
    if (code === 'NoSuchBucket')
      throw new DriverFailure(`[s3] cannot ${what}: there is no bucket ${bucket}`, { part });
    return null;
  }

  async function must(what: string, address: string, init: RequestInit): Promise<Response> {
    const response = await find(what, address, init);
    if (response === null) throw new DriverFailure(`[s3] cannot ${what}: 404`);
    return response;
  }

  async function beginUpload(key: string) {
    const what = `store ${key}`;
    const started = await (await must(what, `${base}/${key}?uploads`, { method: 'POST' })).text();
    const id = encodeURIComponent(elements(started, 'UploadId')[0] ?? '');
    return {
      async part(number: number, body: Bytes) {
        const address = `${base}/${key}?partNumber=${number}&uploadId=${id}`;
        const response = await must(what, address, { method: 'PUT', body });
        return { number, etag: response.headers.get('etag') ?? '' };
      },
      async complete(parts: { number: number; etag: string }[]) {
        const list = parts.map(
          ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
        );
        const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
        const response = await must(what, `${base}/${key}?uploadId=${id}`, { method: 'POST', body });
        // S3 starts this response before the outcome is known, so a 200 may contain an error.
        const answer = await response.text();
        if (answer.includes('<Error>'))
          throw new DriverFailure(`[s3] cannot ${what}: ${elements(answer, 'Code')[0]}`);
      },
      abort: async () => void (await ask(what, `${base}/${key}?uploadId=${id}`, { method: 'DELETE' })),
    };
  }

  async function sizeOf(key: string): Promise<number | null> {
    const response = await ask(`read ${key}`, `${base}/${key}`, { method: 'HEAD' });
    return response.status === 404 ? null : Number(response.headers.get('content-length'));
  }

  return {
    async put(key, body) {
      assertKey(key);
      const once = async (bytes: Bytes) =>
        void (await must(`store ${key}`, `${base}/${key}`, { method: 'PUT', body: bytes }));
      return { size: await putInParts(body, once, () => beginUpload(key)) };
    },

    async get(key, range) {
      assertKey(key);
      if (range?.length === 0) return empty(await sizeOf(key));
      const headers = range ? { range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : {};
      const response = await find(`read ${key}`, `${base}/${key}`, { headers });
      if (response === null) return null;
      if (response.status === 416) {
        await response.body?.cancel();
        return empty(await sizeOf(key));
      }
      const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
      const body = response.body ?? emptyStream();
      return { size: Number(total ?? response.headers.get('content-length')), body };
    },

    async *list(prefix) {
      const below = toPrefix(prefix);
      for (let next: string | undefined = ''; next !== undefined;) {
        const page: string = next === '' ? '' : `&continuation-token=${encodeURIComponent(next)}`;
        const address = `${base}?list-type=2&prefix=${encodeURIComponent(below)}${page}`;
        const answer = await (await must('list', address, {})).text();
        yield* elements(answer, 'Key');
        next = elements(answer, 'NextContinuationToken')[0];
      }
    },

    async delete(key) {
      assertKey(key);
      await (await find(`delete ${key}`, `${base}/${key}`, { method: 'DELETE' }))?.body?.cancel();
    },
  };
}

const empty = (size: number | null) => (size === null ? null : { size, body: emptyStream() });

function emptyStream(): ReadableStream<Bytes> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

async function codeOf(response: Response): Promise<string> {
  return elements(await response.text(), 'Code')[0] ?? '';
}

/**
 * Returns the texts of all elements with this name. Keys and tokens contain no other characters that XML
 * escapes.
 */
function elements(xml: string, name: string): string[] {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? ''),
  );
}
