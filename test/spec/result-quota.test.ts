// Tests how much one person may store in long results. reference: Limits per person; decision: 019
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STORED_RESULT_SECONDS } from '../../src/calls/results/limits.ts';
import { call, callText } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const MAX_BYTES = 400_000;
let app: TestApp;
let ana: TestUser;
let bea: TestUser;

beforeAll(async () => {
  app = await createTestApp({ env: { PERSON_MAX_RESULT_BYTES: String(MAX_BYTES) } });
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
});
afterAll(() => app.close());

/** Makes a result that is cut and stored, and returns its handle. */
async function store(user: TestUser): Promise<string> {
  const executions = [{ tool: 'echo_text', args: { length: 100_000 } }];
  const text = await callText(app, user.keyHeader, 'execute_tools', { executions });
  const handle = /read_result \{"handle":"([^"]+)"/.exec(text)?.[1];
  if (handle === undefined) throw new Error(`no handle: ${text.slice(-200)}`);
  return handle;
}

const isThere = async (user: TestUser, handle: string) =>
  !('error' in (await call(app, user.keyHeader, 'read_result', { handle })));

async function storedBytes(): Promise<number> {
  let bytes = 0;
  for await (const key of app.deps.blobs.list('results/'))
    bytes += (await app.deps.blobs.get(key))?.size ?? 0;
  return bytes;
}

it('deletes the oldest results of a person, and nobody else’s', async () => {
  const hers = await store(bea);
  const one = await storedBytes();
  const handles: string[] = [];
  for (let n = 0; n < 10; n++) handles.push(await store(ana));
  const there = await Promise.all(handles.map((handle) => isThere(ana, handle)));
  const kept = Math.floor(MAX_BYTES / one);
  expect(kept).toBeGreaterThan(1);
  expect(there).toEqual(handles.map((_, n) => n >= handles.length - kept));
  expect(await isThere(bea, hers)).toBe(true);
  expect(await storedBytes()).toBeLessThanOrEqual(MAX_BYTES + one);
});

it('does not count results that have expired', async () => {
  app.clock.advance(STORED_RESULT_SECONDS);
  const first = await store(ana);
  const second = await store(ana);
  expect(await Promise.all([first, second].map((handle) => isThere(ana, handle)))).toEqual([true, true]);
});

it('keeps a result that is larger than all that a person may store', async () => {
  const small = await createTestApp({ env: { PERSON_MAX_RESULT_BYTES: '1' } });
  const cay = await small.user('cay@example.com');
  const executions = [{ tool: 'echo_text', args: { length: 100_000 } }];
  const text = await callText(small, cay.keyHeader, 'execute_tools', { executions });
  const handle = /read_result \{"handle":"([^"]+)"/.exec(text)?.[1];
  expect(await call(small, cay.keyHeader, 'read_result', { handle })).toHaveProperty('value');
  await small.close();
});
