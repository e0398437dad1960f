// Tests the look at the sign-in providers after a start. reference: Environment variables
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { findUnusableProviders } from '../../src/login/check-providers.ts';
import { smallWorld } from '../support/fixtures.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { listen } from '../support/listen.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp | undefined;
let server: HttpServer | undefined;
afterEach(async () => {
  await app?.close();
  await server?.close();
  app = server = undefined;
});

async function check(env: Record<string, string>) {
  app = await createTestApp({ env, ports: { integrations: smallWorld } });
  const found = await findUnusableProviders(app.deps);
  return found.map(({ provider, hint }) => ({ provider, hint }));
}

const idp = (issuer: string) => ({ IDP_ISSUER_URL: issuer, IDP_CLIENT_ID: 'id', IDP_CLIENT_SECRET: 's' });

/** Answers as a provider whose issuer is `issuer`, or its own address. */
async function startProvider(issuer?: string): Promise<string> {
  server = await startHttpServer();
  const own = `http://127.0.0.1:${server.port}`;
  server.answer((_, response) =>
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        issuer: issuer ?? own,
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${own}/token`,
        jwks_uri: `${own}/keys`,
      }),
    ),
  );
  return own;
}

async function findClosedPort(): Promise<number> {
  const closed = createServer();
  const port = await listen(closed);
  closed.close();
  return port;
}

describe('the look at the sign-in providers', () => {
  it('finds nothing when they answer, and when there are none', async () => {
    expect(await check(idp(await startProvider()))).toEqual([]);
    await app?.close();
    expect(await check({})).toEqual([]);
  });

  it('names a provider that cannot be reached, with a cure', async () => {
    const port = await findClosedPort();
    expect(await check(idp(`http://127.0.0.1:${port}`))).toEqual([
      {
        provider: 'idp',
        hint: `check IDP_ISSUER_URL, and that this machine can reach 127.0.0.1:${port} (DNS, firewall)`,
      },
    ]);
  });

  it('names a provider at a private address that the guard refuses', async () => {
    const env = {
      SERVER_PUBLIC_URL: 'https://gate.example',
      SESSION_SECRET: '0123456789abcdef'.repeat(4),
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      HOSTED_ISSUER_URL: 'https://10.1.2.3',
      HOSTED_CLIENT_ID: 'id',
      HOSTED_CLIENT_SECRET: 's',
    };
    expect(await check(env)).toEqual([
      { provider: 'hosted', hint: '10.1.2.3 has a private address: add it to EGRESS_ALLOW if it is yours' },
    ]);
  });

  it('names a provider that publishes another issuer', async () => {
    expect(await check(idp(await startProvider('http://127.0.0.1:1')))).toEqual([
      { provider: 'idp', hint: expect.stringMatching(/^check IDP_ISSUER_URL: .*openid-configuration/) },
    ]);
  });

  it('leaves out a provider without its secret, which has a warning of its own', async () => {
    expect(await check({ HOSTED_CLIENT_ID: 'id', HOSTED_ISSUER_URL: 'http://127.0.0.1:1' })).toEqual([]);
  });
});
