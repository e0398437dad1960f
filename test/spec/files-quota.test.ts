// Tests how much one person may keep in files. reference: Limits per person; decision: 035
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FILE_SECONDS } from '../../src/kit/shape-limits.ts';
import { FILES_PER_PERSON } from '../../src/files/limits.ts';
import { createFiles, type Files } from '../../src/files/files.ts';
import { fileIn, putFile, storedKeys } from '../support/files.ts';
import { done, run } from '../support/jots.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const MIB = 1024 * 1024;
let app: TestApp;
let count = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { PERSON_MAX_FILE_BYTES: String(MIB) } });
});
afterAll(() => app.close());

/** Every test has a person of its own. */
const person = () => app.user(`p${count++}@example.com`);
const put = async (user: Awaited<ReturnType<typeof person>>, size: number) =>
  putFile(app, (await done(app, user, 'upload_file', {})).uploadUrl, new Uint8Array(size).fill(1));

it('refuses an upload over the limit, says what to do, and deletes nothing', async () => {
  const ana = await person();
  const first = await put(ana, 0.75 * MIB);
  expect(first.status).toBe(201);
  const keys = await storedKeys(app);
  expect(await put(ana, MIB / 2)).toEqual({
    status: 413,
    body: {
      error:
        'Your files take 768 KiB of 1 MiB, and this one does not fit. Delete some that you no longer need, or wait: each is kept for a day',
    },
  });
  expect(await storedKeys(app)).toEqual(keys);
  expect((await put(await person(), MIB)).status).toBe(201);
  await done(app, ana, 'delete_file', { file: fileIn(first.body).handle });
  expect((await put(ana, MIB / 2)).status).toBe(201);
});

it('counts a file until it expires', async () => {
  const ana = await person();
  expect((await put(ana, MIB)).status).toBe(201);
  expect(JSON.stringify(await run(app, ana, 'upload_file', {}))).toContain(
    'FILE_QUOTA: Your files take 1 MiB',
  );
  app.clock.advance(FILE_SECONDS);
  expect((await put(ana, MIB)).status).toBe(201);
});

it('says before an upload that the file will not fit', async () => {
  const ana = await person();
  const told = async (bytes: number) => JSON.stringify(await run(app, ana, 'upload_file', { bytes }));
  expect(await told(MIB)).toContain('uploadUrl');
  expect(await told(MIB + 1)).toContain('FILE_QUOTA: ');
  expect(await told(600 * MIB)).toContain('FILE_TOO_LARGE: A file may have up to 512 MiB');
});

it('holds under uploads at once, in one process and in several', async () => {
  const ana = await person();
  const several: Files[] = [app.deps.files, createFiles(app.deps), createFiles(app.deps)];
  const body = async function* () {
    for (let part = 0; part < 5; part++) yield new Uint8Array(80 * 1024);
  };
  for (let round = 0; round < 3; round++)
    await Promise.allSettled(
      Array.from({ length: 4 }, () => several)
        .flat()
        .map((files) => files.save(ana.id, body(), { mimeTypes: [] })),
    );
  const { bytes, total } = await app.deps.files.list(ana.id, { offset: 0, limit: 100 });
  expect(bytes).toBeLessThanOrEqual(MIB);
  // What was refused left nothing.
  const mine = (await storedKeys(app)).filter((key) => key.startsWith('file-bytes/'));
  const stored = (await storedKeys(app)).filter((key) => key.startsWith('files/'));
  expect(mine).toHaveLength(stored.length);
  expect(total).toBeLessThanOrEqual(2);
  // No upload counts any more.
  if (total < 2) expect((await put(ana, MIB - bytes)).status).toBe(201);
});

it('bounds the number of files', async () => {
  const ana = await person();
  const body = async function* () {
    yield Uint8Array.of(1);
  };
  for (let made = 0; made < FILES_PER_PERSON; made++)
    await app.deps.files.save(ana.id, body(), { mimeTypes: [] });
  expect(JSON.stringify(await run(app, ana, 'upload_file', { content: 'x' }))).toContain(
    `FILE_QUOTA: You may keep ${FILES_PER_PERSON} files`,
  );
});
