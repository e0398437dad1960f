// Tests a client that leaves during a call: the platform is asked to let begun work finish.
import { expect, it } from 'vitest';
import type { Bindings } from '../../adapters/workers/bindings.ts';
import worker from '../../adapters/workers/worker.ts';

it('keeps a request alive while its work continues after the caller left', async () => {
  const database = Promise.withResolvers<never>();
  const statement = { bind: () => statement, all: () => database.promise };
  // A database that never answers, and a bucket that is not used.
  const bindings = {
    SERVER_PUBLIC_URL: 'http://localhost:8787',
    SESSION_SECRET: '0123456789abcdef'.repeat(4),
    ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
    DB: { prepare: () => statement, batch: () => database.promise },
    BLOBS: {},
  } as unknown as Bindings;
  const held: Promise<unknown>[] = [];
  const request = new Request('http://localhost:8787/api/auth/me', {
    headers: { 'x-service-api-key': 'a'.repeat(64) },
  });
  const answering = worker.fetch(request, bindings, { waitUntil: (work) => void held.push(work) });
  await expect.poll(() => held.length).toBe(1);
  database.reject(new Error('gone'));
  const response = await answering;
  expect(response.status).toBeGreaterThanOrEqual(500);
  await response.text();
  await Promise.all(held);
});
