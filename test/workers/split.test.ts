// Tests that a Worker and a Node gateway on one PostgreSQL are one product: each continues what the other
// began.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { startOnNode } from '../contracts/app/on-node.ts';
import { call, rpc } from '../support/mcp.ts';
import { CALLBACK, refresh, registered, token } from '../support/oauth-client.ts';
import { done, publish } from '../support/jots.ts';
import { createPostgresDatabase, describeService, postgresUrl } from '../support/services.ts';
import { startWorker } from '../support/worker.ts';

await describeService('the split deployment', postgresUrl(), () => {
  let world: World;
  let node: Running;
  let edge: Running;
  let ana: Person;
  beforeAll(async () => {
    world = await openWorld();
    const database = await createPostgresDatabase();
    const env = { ...world.env, SERVER_PUBLIC_URL: 'http://localhost:3000' };
    const started = await startOnNode({ ...env, DATABASE_URL: database.url }, database.drop);
    node = started;
    const vars = { ...env, NODE_ORIGIN: started.origin };
    edge = { ...(await startWorker({ vars, postgres: database.url })), proxies: true };
    ana = await world.person(edge, 'ana');
  }, 180_000);
  afterAll(async () => {
    await edge.close();
    await node.close();
    await world.close();
  });

  it('serves curl with a connection made at the edge, directly at Node and through the edge', async () => {
    const saved = await edge.request('/api/auth/apikey/resend', {
      method: 'POST',
      headers: { ...ana.session, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { apiKey: 're_edge' } }),
    });
    expect(saved.status).toBe(200);
    const session = await call(edge, ana.key, 'curl_session', { integrations: ['resend'] });
    const headers = { authorization: `Bearer ${session.token}` };
    for (const gateway of [node, edge]) {
      world.calls.length = 0;
      expect((await gateway.request('/c/resend/domains', { headers })).status).toBe(200);
      expect(world.calls).toMatchObject([{ path: '/domains', authorization: 'Bearer re_edge' }]);
    }
    const gone = await edge.request('/api/connections/resend', { method: 'DELETE', headers: ana.session });
    expect(gone.status).toBe(200);
    expect((await node.request('/c/resend/domains', { headers })).status).toBe(409);
  });

  it.each([
    ['the edge', 'Node', () => [edge, node] as const],
    ['Node', 'the edge', () => [node, edge] as const],
  ])('tells an agent that waits at %s about the callback that %s handled', async (_, __, both) => {
    const [here, there] = both();
    const asked = await call(here, ana.key, 'connect', { integration: 'github' });
    const wait = { connectionId: asked.connectionId, timeoutSec: 40 };
    const waiting = call(here, ana.key, 'wait_for_connection', wait);
    const state = new URL(asked.url).searchParams.get('state');
    const back = await there.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
    expect(back.status).toBe(302);
    expect(await waiting).toEqual({ status: 'CONNECTED' });
  });

  it('redeems at Node a code from the edge, and refreshes at the edge', async () => {
    const client = await registered(edge);
    const code = await world.authorize(edge, 'ana', client);
    const fields = { code, client_id: client, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
    const first = await token(node, { grant_type: 'authorization_code', ...fields });
    const bearer = { authorization: `Bearer ${first.body.access_token}` };
    expect((await rpc(edge, bearer, 'tools/list')).status).toBe(200);
    const races = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refresh(index % 2 === 0 ? node : edge, client, first.body.refresh_token),
      ),
    );
    expect(races.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('shows the same people, keys and audit rows on both', async () => {
    const bo = await world.person(node, 'bo');
    for (const gateway of [node, edge])
      await call(gateway, bo.key, 'execute_tools', { executions: [{ tool: 'time_now', args: {} }] });
    const { entries } = await (await edge.request('/api/audit', { headers: bo.session })).json();
    expect(entries).toHaveLength(2);
    // Blobs are shared only where both use the same bucket, which they do not here.
    await publish(node, { keyHeader: bo.key }, 'at-node');
    expect((await done(edge, { keyHeader: bo.key }, 'list_jots', {})).jots).toMatchObject([
      { name: 'at-node' },
    ]);
  });
});
