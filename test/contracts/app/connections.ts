// Tests how a person connects an integration and an agent uses the connection.
// reference: Connecting an integration; Pending connections; Curl proxy
import { expect, it } from 'vitest';
import { call, callText } from '../../support/mcp.ts';
import type { Subject } from '../app-contract.ts';
import { UPSTREAM_TOKEN } from './world.ts';

export function connectionSentences(at: () => Subject): void {
  async function connectResend(person = at().ana): Promise<void> {
    const response = await at().gateway.request('/api/auth/apikey/resend', {
      method: 'POST',
      headers: { ...person.session, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { apiKey: 're_123' } }),
    });
    expect(await response.json()).toMatchObject({ success: true });
  }

  async function runOne(tool: string, args: object, person = at().ana) {
    const { results } = await call(at().gateway, person.key, 'execute_tools', {
      executions: [{ tool, args }],
    });
    return results[0];
  }

  it('serves the tools of an API key connection until the person disconnects it', async () => {
    const { gateway, world, ana } = at();
    await connectResend();
    const { connections } = await (
      await gateway.request('/api/connections', { headers: ana.session })
    ).json();
    expect(connections).toContainEqual(expect.objectContaining({ name: 'resend', connected: true }));
    expect(await runOne('resend_list_domains', {})).toMatchObject({ result: { path: '/domains' } });
    expect(world.calls.at(-1)).toMatchObject({ method: 'GET', authorization: 'Bearer re_123' });
    const sent = await runOne('resend_send_email', {
      from: 'a@b.example',
      to: ['c@d.example'],
      subject: 'ü',
    });
    expect(sent).toMatchObject({ result: {} });
    expect(JSON.parse(world.calls.at(-1)?.body ?? '')).toMatchObject({ subject: 'ü' });
    const gone = await gateway.request('/api/connections/resend', { method: 'DELETE', headers: ana.session });
    expect(await gone.json()).toEqual({ success: true });
    expect(await runOne('resend_list_domains', {})).toMatchObject({ error: 'NOT_CONNECTED' });
  });

  it('makes an agent wait for a connection until the person comes back from the provider', async () => {
    const { gateway, world, ana } = at();
    const asked = await call(gateway, ana.key, 'connect', { integration: 'github' });
    expect(asked).toMatchObject({ type: 'oauth2', connectionId: expect.any(String) });
    const wait = (connectionId: string) =>
      call(gateway, ana.key, 'wait_for_connection', { connectionId, timeoutSec: 30 });
    const waiting = wait(asked.connectionId);
    const state = new URL(asked.url).searchParams.get('state');
    const back = await gateway.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
    expect([back.status, back.headers.get('location')]).toEqual([
      302,
      `${gateway.publicUrl}#connected=github`,
    ]);
    expect(await waiting).toEqual({ status: 'CONNECTED' });
    expect(await wait(crypto.randomUUID())).toEqual({ error: 'Unknown connectionId' });
    await runOne('github_list_repositories', {});
    expect(world.calls.at(-1)).toMatchObject({ authorization: `Bearer ${UPSTREAM_TOKEN}` });
    const again = await gateway.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
    expect(again.status).toBe(400);
  });

  it('gives a long result a handle that only its owner can read', async () => {
    const { gateway, world, ana } = at();
    await connectResend();
    const cut = await callText(gateway, ana.key, 'execute_tools', {
      executions: [{ tool: 'resend_list_emails', args: { limit: 100 } }],
    });
    expect(cut.length).toBeLessThan(61_000);
    const handle = /handle[^A-Za-z0-9_-]+([\w-]{16,})/.exec(cut)?.[1];
    const path = '/results/0/result/data';
    const page = await call(gateway, ana.key, 'read_result', { handle, path, offset: 90, limit: 5 });
    expect(page).toMatchObject({ value: [{ index: 90 }, {}, {}, {}, {}], total: 100, nextOffset: 95 });
    const dan = await world.person(gateway, 'dan');
    expect(await call(gateway, dan.key, 'read_result', { handle })).toMatchObject({
      error: 'Unknown handle',
    });
  });

  it('serves curl where there is a Node gateway, and answers 501 where there is none', async () => {
    const { gateway, world, ana } = at();
    await connectResend();
    const { token } = await call(gateway, ana.key, 'curl_session', { integrations: ['resend'] });
    const headers = { authorization: `Bearer ${token}` };
    const response = await gateway.request('/c/resend/emails/a%2Fb?x=1', { headers });
    if (!gateway.proxies) {
      expect([response.status, await response.json()]).toEqual([
        501,
        { error: expect.stringContaining('NODE_ORIGIN') },
      ]);
      return;
    }
    expect(await response.json()).toMatchObject({ path: '/emails/a%2Fb?x=1' });
    expect(world.calls.at(-1)).toMatchObject({ authorization: 'Bearer re_123' });
    const body = 'é'.repeat(200_000);
    await gateway.request('/c/resend/emails', { method: 'POST', headers, body });
    expect(world.calls.at(-1)?.body).toBe(body);
    const foreign = await gateway.request('/c/github/user', { headers });
    expect([foreign.status, await foreign.json()]).toEqual([
      403,
      { error: 'integration is not in this curl session' },
    ]);
  });
}
