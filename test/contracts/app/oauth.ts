// Tests the OAuth server. reference: OAuth metadata; Client registration; Authorization requests; Token endpoint
import { expect, it } from 'vitest';
import { rpc } from '../../support/mcp.ts';
import { CALLBACK, refresh, register, registered, token } from '../../support/oauth-client.ts';
import type { Subject } from '../app-contract.ts';

export function oauthSentences(at: () => Subject): void {
  const codeFields = (code: string, client_id: string) => ({
    grant_type: 'authorization_code',
    code,
    client_id,
    redirect_uri: CALLBACK,
    code_verifier: 'v'.repeat(43),
  });

  it('publishes the server metadata and registers clients', async () => {
    const { gateway } = at();
    const { publicUrl } = gateway;
    const resource = await (await gateway.request('/.well-known/oauth-protected-resource')).json();
    expect(resource).toEqual({
      resource: `${publicUrl}/mcp`,
      authorization_servers: [publicUrl],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp'],
    });
    const server = await (await gateway.request('/.well-known/oauth-authorization-server')).json();
    expect(server).toMatchObject({ issuer: publicUrl, token_endpoint: `${publicUrl}/token` });
    const made = await register(gateway);
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({ token_endpoint_auth_method: 'none' });
    const refused = await register(gateway, { redirect_uris: [] });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_client_metadata' }]);
  });

  it('lets a client sign in, call, refresh once per token, and be revoked', async () => {
    const { gateway, world, ana } = at();
    const client = await registered(gateway);
    const code = await world.authorize(gateway, 'ana', client);
    const first = await token(gateway, codeFields(code, client));
    expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'mcp' } });
    const bearer = { authorization: `Bearer ${first.body.access_token}` };
    expect((await rpc(gateway, bearer, 'tools/list')).status).toBe(200);
    expect((await gateway.request('/api/auth/me', { headers: bearer })).status).toBe(401);

    const second = await refresh(gateway, client, first.body.refresh_token);
    expect(second.status).toBe(200);
    expect((await refresh(gateway, client, first.body.refresh_token)).body.error).toBe('invalid_grant');

    const { agents } = await (await gateway.request('/api/agents', { headers: ana.session })).json();
    expect(agents).toContainEqual(expect.objectContaining({ client_id: client, scopes: ['mcp'] }));
    const revoked = await gateway.request(`/api/agents/${client}`, {
      method: 'DELETE',
      headers: ana.session,
    });
    expect(await revoked.json()).toEqual({ revoked: 1 });
    expect((await refresh(gateway, client, second.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('redeems a code or a refresh token once when 12 requests race', async () => {
    const { gateway, world } = at();
    const client = await registered(gateway);
    const fresh = async () => codeFields(await world.authorize(gateway, 'ana', client), client);
    const first = await token(gateway, await fresh());
    const refreshed = await Promise.all(
      Array.from({ length: 12 }, () => refresh(gateway, client, first.body.refresh_token)),
    );
    expect(refreshed.filter(({ status }) => status === 200)).toHaveLength(1);
    const raced = await fresh();
    const tries = await Promise.all(Array.from({ length: 12 }, () => token(gateway, raced)));
    const [won, ...others] = tries.toSorted((a, b) => a.status - b.status);
    expect([won?.status, ...new Set(others.map(({ status }) => status))]).toEqual([200, 400]);
    // A code that comes again ends what it gave.
    const ended = await refresh(gateway, client, won?.body.refresh_token ?? '');
    expect(ended.body.error).toBe('invalid_grant');
  });

  it('refuses an unknown client and an unsupported grant, and forbids framing the callback page', async () => {
    const { gateway } = at();
    expect((await gateway.request('/authorize?client_id=nobody')).status).toBe(400);
    expect(await token(gateway, { grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    const page = await gateway.request('/oauth/callback?code=x');
    expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, 'DENY']);
  });
}
