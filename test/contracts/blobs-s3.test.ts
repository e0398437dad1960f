// Runs the blob contract on a real S3-compatible server, and tests the responses that such a server may give.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createS3Blobs } from '../../drivers/blobs/s3.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { describeSwift, type S3Place, startSwift } from '../support/swift.ts';
import { blobsContract } from './blobs-contract.ts';

describeSwift('S3 on OpenStack Swift', () => {
  let place: S3Place;
  let close: () => Promise<void>;
  // Swift starts thirteen Python programs one after the other.
  beforeAll(async () => ({ place, close } = await startSwift()), 180_000);
  afterAll(() => close());

  blobsContract('s3', async () => ({ blobs: createS3Blobs(place), close: async () => {} }));

  it('stores a blob longer than one part and reads a range across the part boundary', async () => {
    const blobs = createS3Blobs(place);
    const whole = Uint8Array.from({ length: 20_000_000 }, (_, at) => (at * 31 + (at >> 8)) & 255);
    const body = new Blob([whole]).stream();
    expect(await blobs.put('long/one', body)).toEqual({ size: whole.length });
    const offset = 8 * 1024 * 1024 - 10;
    const part = await blobs.get('long/one', { offset, length: 20 });
    expect(part?.size).toBe(whole.length);
    expect(new Uint8Array(await new Response(part?.body).arrayBuffer())).toEqual(
      whole.slice(offset, offset + 20),
    );
    const all = new Uint8Array(await new Response((await blobs.get('long/one'))?.body).arrayBuffer());
    expect(Buffer.compare(all, whole)).toBe(0);
  });

  it('stores nothing when the source of a long upload fails', async () => {
    const blobs = createS3Blobs(place);
    let sent = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (sent++ < 12) controller.enqueue(new Uint8Array(1024 * 1024));
        else controller.error(new Error('the source failed'));
      },
    });
    await expect(blobs.put('broken/one', body)).rejects.toThrow('the source failed');
    expect(await blobs.get('broken/one')).toBeNull();
    expect(await Array.fromAsync(blobs.list('broken'))).toEqual([]);
  });

  it('lists more keys than one response holds', async () => {
    const blobs = createS3Blobs(place);
    const keys = Array.from({ length: 60 }, (_, n) => `many/${String(n).padStart(4, '0')}`);
    await Promise.all(keys.map((key) => blobs.put(key, new Uint8Array())));
    expect(await Array.fromAsync(blobs.list('many'))).toEqual(keys);
  });

  it('rejects with different errors for wrong credentials, a missing bucket and an unreachable server', async () => {
    const stranger = createS3Blobs({ ...place, secretAccessKey: 'wrong' });
    await expect(stranger.get('a')).rejects.toThrow(/\[s3\] cannot read a: 403/);
    const homeless = createS3Blobs({ ...place, bucket: 'elsewhere' });
    await expect(homeless.get('a')).rejects.toThrow('there is no bucket elsewhere');
    await expect(homeless.put('a', new Uint8Array(1))).rejects.toThrow('there is no bucket elsewhere');
    const away = createS3Blobs({ ...place, endpoint: 'http://127.0.0.1:1' });
    await expect(away.get('a')).rejects.toThrow(Unavailable);
  });
});

describe('S3 server responses', () => {
  let server: HttpServer;
  let asked: string[] = [];
  let answers: Record<string, [status: number, body: string]> = {};
  beforeEach(async () => {
    asked = [];
    server = await startHttpServer((request, response) => {
      const line = `${request.method} ${request.url}`;
      asked.push(line);
      const [status, body] = answers[line] ?? [200, ''];
      request.resume().on('end', () => response.writeHead(status, { etag: '"x"' }).end(body));
    });
  });
  afterEach(() => server.close());

  const open = () =>
    createS3Blobs({
      endpoint: `http://127.0.0.1:${server.port}//`,
      bucket: 'jots',
      region: 'eu-central-1',
      accessKeyId: 'a',
      secretAccessKey: 'b',
    });

  it('rejects and aborts an upload that fails inside a 200 response', async () => {
    answers = {
      'POST /jots/a?uploads': [200, '<UploadId>u&amp;1</UploadId>'],
      'POST /jots/a?uploadId=u%261': [200, '<Error><Code>InternalError</Code></Error>'],
    };
    const body = new Blob([new Uint8Array(9_000_000)]).stream();
    await expect(open().put('a', body)).rejects.toThrow('[s3] cannot store a: InternalError');
    expect(asked).toEqual([
      'POST /jots/a?uploads',
      'PUT /jots/a?partNumber=1&uploadId=u%261',
      'PUT /jots/a?partNumber=2&uploadId=u%261',
      'POST /jots/a?uploadId=u%261',
      'DELETE /jots/a?uploadId=u%261',
    ]);
  });

  it('lists the next page with the continuation token', async () => {
    answers = {
      'GET /jots?list-type=2&prefix=': [
        200,
        '<Key>a</Key><NextContinuationToken>1&amp;/=</NextContinuationToken>',
      ],
      'GET /jots?list-type=2&prefix=&continuation-token=1%26%2F%3D': [200, '<Key>b</Key>'],
    };
    expect(await Array.fromAsync(open().list(''))).toEqual(['a', 'b']);
  });

  it('reports a 503 as unavailable and a 403 as a failure', async () => {
    const refused = '<Error><Code>AccessDenied</Code></Error>';
    answers = {
      'GET /jots/troubled': [503, ''],
      'GET /jots/refused': [403, refused],
      'DELETE /jots/refused': [403, refused],
    };
    await expect(open().get('troubled')).rejects.toThrow(Unavailable);
    await expect(open().get('refused')).rejects.toThrow(DriverFailure);
    await expect(open().get('refused')).rejects.toThrow('[s3] cannot read refused: 403 AccessDenied');
    await expect(open().delete('refused')).rejects.toThrow('[s3] cannot delete refused: 403 AccessDenied');
  });

  it('retries after a single 500', async () => {
    server.answer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.writeHead(asked.length === 1 ? 500 : 200).end());
    });
    expect(await open().put('a', new Uint8Array(1))).toEqual({ size: 1 });
    expect(asked).toEqual(['PUT /jots/a', 'PUT /jots/a']);
  });
});
