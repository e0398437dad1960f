// Runs real, unmodified clients: from a bare address to a tool result with only the sign-in page between.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewaySite, openGatewaySite, signInAt } from '../support/gateway-site.ts';
import { toolSet } from '../contracts/store/records.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { createMemoryProvider, type Kept, REDIRECT } from './memory-provider.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openGatewaySite();
  const { id: created_by } = await site.app.user('maker@example.com');
  const set = toolSet({ owner: EVERYONE, created_by, name: 'voice', tools: '["shout"]' });
  expect(await site.app.deps.store.sets.create(set, 1)).toBe('created');
});
afterAll(() => site.close());

const MCP_REMOTE = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));
const ABOUT = { name: 'test', version: '1' };
const TOOL = {
  name: 'execute_tools',
  arguments: { executions: [{ tool: 'shout', args: { text: 'heard' } }] },
};
/** A set of the team, which whoever signs in has. */
const SET_PATH = '/mcp/sets/voice';
const toolAt = (path: string) => (path === SET_PATH ? { name: 'shout', arguments: { text: 'heard' } } : TOOL);
const textOf = (result: unknown): string => JSON.stringify(result);

/** The person opens the address, signs in, and is redirected to the application. */
async function signIn(url: URL | string): Promise<URL> {
  const browser = site.browser();
  return (await signInAt(browser, await browser.open(url), 'ana')).url;
}

interface Session {
  /** Rejects while the person has to sign in. */
  connect(): Promise<void>;
  finish(callback: URL): Promise<void>;
  call(): Promise<unknown>;
  close(): Promise<void>;
}

function sdkV1(kept: Kept, path = '/mcp'): Session {
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${site.base}${path}`), {
      authProvider: createMemoryProvider(kept),
    });
  let client = new Client(ABOUT);
  return {
    async connect() {
      client = new Client(ABOUT);
      await client.connect(open());
    },
    finish: (callback) => open().finishAuth(callback.searchParams.get('code') ?? ''),
    call: () => client.callTool(toolAt(path)),
    close: () => client.close(),
  };
}

function sdkV2(kept: Kept, path = '/mcp'): Session {
  const open = () =>
    new v2.StreamableHTTPClientTransport(new URL(`${site.base}${path}`), {
      authProvider: createMemoryProvider(kept),
    });
  let client = new v2.Client(ABOUT);
  return {
    async connect() {
      client = new v2.Client(ABOUT);
      await client.connect(open());
    },
    // The library checks `iss` on the way.
    finish: (callback) => open().finishAuth(callback.searchParams),
    call: () => client.callTool(toolAt(path)),
    close: () => client.close(),
  };
}

describe.each<[string, (kept: Kept) => Session]>([
  ['v1', sdkV1],
  ['v2', sdkV2],
  ['v1 with a query that narrows', (kept) => sdkV1(kept, '/mcp?access=read')],
  ['v2 with a query that narrows', (kept) => sdkV2(kept, '/mcp?access=read')],
  ['v1 at the address of a set', (kept) => sdkV1(kept, SET_PATH)],
  ['v2 at the address of a set', (kept) => sdkV2(kept, SET_PATH)],
])('the official SDK %s', (_, open) => {
  const kept: Kept = { verifier: '', opened: [] };

  it('gets from a bare address to a tool result', async () => {
    const session = open(kept);
    await expect(session.connect()).rejects.toThrow(/Unauthorized/i);
    expect(kept.opened).toHaveLength(1);
    await session.finish(await signIn(kept.opened[0] ?? ''));
    await session.connect();
    expect(textOf(await session.call())).toContain('HEARD');

    // The access token expires, and the client recovers without a person.
    const before = kept.tokens?.access_token;
    site.app.clock.advance(3_601);
    expect(textOf(await session.call())).toContain('HEARD');
    expect(kept.tokens?.access_token).not.toBe(before);
    expect(kept.opened).toHaveLength(1);
    await session.close();
  });

  it('recovers after its client row was deleted', async () => {
    const session = open(kept);
    await session.connect();
    const before = kept.client?.client_id ?? '';
    await site.app.deps.store.clients.delete(before);
    site.app.clock.advance(3_601);
    await expect(session.call()).rejects.toThrow(/Unauthorized/i);
    expect(kept.opened).toHaveLength(2);
    expect(kept.client?.client_id).not.toBe(before);
    await session.finish(await signIn(kept.opened[1] ?? ''));
    await session.connect();
    expect(textOf(await session.call())).toContain('HEARD');
    await session.close();
  });
});

describe.each(['/mcp', SET_PATH])('mcp-remote at %s', (path) => {
  it('gets from a bare address to a tool result, refreshes, and recovers', async () => {
    const tool = toolAt(path);
    const folder = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MCP_REMOTE, `${site.base}${path}`],
      // mcp-remote opens a browser that does nothing; the test reads the address from its output.
      env: { PATH: '/usr/bin:/bin', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: '/bin/true' },
      stderr: 'pipe',
    });
    let said = '';
    const opened: string[] = [];
    transport.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      // A person is slower than the client's callback server; this browser has to wait for it.
      const listening = said.match(/OAuth callback server running/g)?.length ?? 0;
      const asked = [...said.matchAll(/http:\/\/localhost:\d+\/authorize\?\S+(?=\s)/g)].map(([url]) => url);
      for (const url of asked.slice(opened.length, listening)) {
        opened.push(url);
        void signIn(url);
      }
    });
    const client = new Client(ABOUT);
    try {
      await client.connect(transport);
      expect(textOf(await client.callTool(tool))).toContain('HEARD');
      expect(opened).toHaveLength(1);

      site.app.clock.advance(3_601);
      expect(textOf(await client.callTool(tool))).toContain('HEARD');
      expect(opened).toHaveLength(1);

      const id = new URL(opened[0] ?? '').searchParams.get('client_id') ?? '';
      await site.app.deps.store.clients.delete(id);
      site.app.clock.advance(3_601);
      expect(textOf(await client.callTool(tool))).toContain('HEARD');
      expect(opened).toHaveLength(2);
    } catch (error) {
      throw new Error(`mcp-remote said:\n${said}`, { cause: error });
    } finally {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('certified OAuth libraries', () => {
  it('lets openid-client register, authorize and refresh', async () => {
    const config = await openid.dynamicClientRegistration(
      new URL(site.base),
      { client_name: 'openid-client', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      openid.None(),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'mcp',
      state,
    });
    const callback = await signIn(url);
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'mcp' });
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('lets oauth4webapi do the same step by step, with a resource', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(site.base);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const resource = await oauth.processResourceDiscoveryResponse(
      new URL(`${site.base}/mcp`),
      await oauth.resourceDiscoveryRequest(new URL(`${site.base}/mcp`), insecure),
    );
    expect(resource.authorization_servers).toEqual([server.issuer]);
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, { redirect_uris: [REDIRECT] }, insecure),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint ?? '');
    for (const [name, value] of Object.entries({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: REDIRECT,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: resource.resource,
    }))
      url.searchParams.set(name, value);
    const parameters = oauth.validateAuthResponse(server, client, await signIn(url));
    expect(parameters.get('iss')).toBe(server.issuer);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      REDIRECT,
      verifier,
      { ...insecure, additionalParameters: { resource: resource.resource } },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token ?? '',
        insecure,
      ),
    );
    const answer = await oauth.protectedResourceRequest(
      refreshed.access_token,
      'POST',
      new URL(resource.resource),
      new Headers({ 'content-type': 'application/json' }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      insecure,
    );
    expect(answer.status).toBe(200);
  });
});
