// Tests that calls through the proxy count for their person. reference: Limits per person; decision: 019
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Stage } from '../support/proxy-stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ env: { PERSON_MAX_CALLS: '2' } });
});
afterAll(() => stage.close());

it('refuses a call beyond the limit with 429, and takes calls again when one has ended', async () => {
  const waiting: ServerResponse[] = [];
  const both = Promise.withResolvers<void>();
  stage.answer((_, outgoing) => {
    if (waiting.push(outgoing) === 2) both.resolve();
  });
  const running = [stage.get('/c/vaulted/one'), stage.get('/c/keyed/two')];
  await both.promise;
  const refused = await stage.get('/c/vaulted/three');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toEqual({
    error: 'TOO_MANY_CALLS',
    integration: 'vaulted',
    message: expect.stringContaining('2 of your calls are running already'),
  });
  expect(stage.seen.map(({ url }) => url)).not.toContainEqual(expect.stringContaining('three'));
  stage.answer((_, outgoing) => outgoing.end('ok'));
  const bea = await stage.app.user('bea@example.com');
  await stage.app.deps.vault.save(bea.id, 'vaulted', { accessToken: 'hers' });
  const authorization = `Bearer ${await stage.token({ userId: bea.id })}`;
  expect((await stage.get('/c/vaulted/hers', { headers: { authorization } })).status).toBe(200);
  for (const outgoing of waiting) outgoing.end('late');
  for (const response of await Promise.all(running)) expect(await response.text()).toBe('late');
  for (let n = 0; n < 5; n++) expect((await stage.get('/c/vaulted/four')).status).toBe(200);
});

it('counts no call that was refused for another reason', async () => {
  await stage.app.deps.vault.save(stage.ana.id, 'keyed', { accessToken: '{}', config: { region: 'mars' } });
  for (let n = 0; n < 5; n++) expect((await stage.get('/c/keyed/x')).status).toBe(502);
  expect((await stage.get('/c/vaulted/x')).status).toBe(200);
});
