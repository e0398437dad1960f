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

  it('runs scripts at Node that are sent to the edge, through every door', async () => {
    const executions = [{ tool: 'script_run', args: { code: 'return (await tools.time_now({})).timeZone' } }];
    const overMcp = await call(edge, ana.key, 'execute_tools', { executions });
    expect(overMcp.results[0]).toMatchObject({ result: 'UTC', script: { run: expect.any(String) } });
    const json = { ...ana.key, 'content-type': 'application/json' };
    const overRest = await edge.request('/rest/scripts', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ executions }),
    });
    expect((await overRest.json()).results[0]).toMatchObject({ result: 'UTC' });
    const saved = { tool: 'script_save', args: { name: 'edge', code: 'return input.a' } };
    const { results } = await call(edge, ana.key, 'execute_tools', { executions: [saved] });
    expect(results[0].result).toEqual({ tool: 'scripts_edge', version: 1 });
    const again = await call(edge, ana.key, 'execute_tools', {
      executions: [{ tool: 'scripts_edge', args: { a: 7 } }],
    });
    expect(again.results[0].result).toBe(7);
    const { run } = again.results[0].script;
    const shown = await edge.request(`/api/script-runs/${run}`, { headers: ana.session });
    expect(await shown.json()).toMatchObject({ script: 'edge', state: 'done', result: 7 });
    const repeated = await edge.request(`/api/script-runs/${run}/again`, {
      method: 'POST',
      headers: ana.session,
    });
    expect(await repeated.json()).toMatchObject({ result: 7 });
  });

  it('goes on at Node with a script whose call was approved at the edge', async () => {
    const cy = await world.person(edge, 'cy');
    const json = { ...cy.session, 'content-type': 'application/json' };
    const post = async (path: string, body: object, method = 'POST') =>
      (await edge.request(path, { method, headers: json, body: JSON.stringify(body) })).status;
    expect(await post('/api/policy', { rules: [{ tool: 'time_now', decision: 'ask' }] }, 'PUT')).toBe(200);
    const executions = [{ tool: 'script_run', args: { code: 'return (await tools.time_now({})).timeZone' } }];
    const [asked] = (await call(edge, cy.key, 'execute_tools', { executions })).results;
    expect(asked.error).toBe('APPROVAL_REQUIRED');
    expect(await post(`/api/approvals/${asked.approval.id}`, { decision: 'approve' })).toBe(200);
    const resume = [{ tool: 'script_run', args: { resume: asked.script.run } }];
    const [ran] = (await call(edge, cy.key, 'execute_tools', { executions: resume })).results;
    expect(ran).toMatchObject({ result: 'UTC', script: asked.script });
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
