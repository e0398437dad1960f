// Tests the client for service keys: that it is what the description says, how much it weighs, and that it works. decision: 069
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  createClient,
  GatewayError,
  type GatewayClient,
} from '../../adapters/node/client/client.ts';
import { writeClient } from '../../adapters/node/client/generate.ts';
import { type ActorStand, GATE, openActorStand, RETURN_TO, type Tenant } from '../support/actors.ts';

const FILE = join(import.meta.dirname, '../../adapters/node/client/client.ts');
const MOST = 6 * 1024;

let stand: ActorStand;
let acme: Tenant;
let client: GatewayClient;

beforeAll(async () => {
  stand = await openActorStand();
  acme = await stand.tenant({ integrations: ['vaulted', 'keyed', 'time'] });
  client = createClient({
    url: `${GATE}/`,
    key: acme.key,
    fetch: (input, init) =>
      stand.app.request(new URL(input instanceof Request ? input.url : input).href.slice(GATE.length), init),
  });
});
afterAll(() => stand.close());

describe('the client', () => {
  it('is what the script writes from the description', async () => {
    const description = await (await stand.app.request('/openapi.json')).json();
    expect(writeClient(description)).toBe(readFileSync(FILE, 'utf8'));
  });

  it('has a function for each operation of a service key', async () => {
    const { paths } = await (await stand.app.request('/openapi.json')).json();
    const ids = Object.values<Record<string, { operationId: string; security: object[] }>>(paths).flatMap(
      (methods) =>
        Object.values(methods)
          .filter(({ security }) => security.some((each) => 'serviceKey' in each))
          .map(({ operationId }) => operationId),
    );
    expect(ids.length).toBeGreaterThanOrEqual(8);
    expect(Object.keys(client).toSorted()).toEqual([...ids, 'actor', 'everyActor'].toSorted());
  });

  it('weighs at most 6 kB, and imports nothing', async () => {
    const source = readFileSync(FILE, 'utf8');
    const { code } = await transform(source, { loader: 'ts', format: 'esm', minify: true });
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(MOST);
    expect(code).not.toMatch(/\bimport\b|\brequire\(/);
  });

  it('makes, lists and erases actors', async () => {
    const made: Actor = await client.createActor({ externalId: 'ann+1@acme.example', name: 'Ann' });
    expect(made).toMatchObject({ externalId: 'ann+1@acme.example', connections: 0 });
    for (const externalId of ['b', 'c']) await client.createActor({ externalId });
    const pages = [];
    for await (const { externalId } of client.everyActor()) pages.push(externalId);
    expect(pages).toEqual(['ann+1@acme.example', 'b', 'c']);
    expect((await client.listActors({ limit: 1 })).nextCursor).toBeTypeOf('string');
    expect(await client.eraseActor('ann+1@acme.example')).toEqual({ status: 'deleting' });
  });

  it('connects an account and works with it', async () => {
    await client.createActor({ externalId: 'ann' });
    const { url } = await client.createActorLink('ann', { integration: 'vaulted', returnTo: RETURN_TO });
    const browser = stand.browse();
    await browser.submit(await stand.consent(browser, await stand.goOn(browser, url)));
    const { connections } = await client.listActorConnections('ann');
    expect(connections).toMatchObject([{ integration: 'vaulted' }]);
    const ran = await client.actor('ann').run('vaulted', 'vaulted_get', { path: '/x' });
    expect(ran).toMatchObject({ integration: 'vaulted', result: { status: 200 } });
    expect(await client.readActorUsage('ann', { days: 1 })).toMatchObject({ calls: expect.any(Number) });
    expect(await client.disconnectActor('ann', 'vaulted')).toEqual({ success: true });
  });

  it('throws what the gateway refuses, with its status and its sentence', async () => {
    const error = await client.getActor('nobody').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ status: 404, message: 'There is no such actor' });
    const blocked = client.actor('b').run('echo', 'shout', { text: 'x' });
    await expect(blocked).rejects.toMatchObject({ status: 403 });
  });

  it('gives a client of MCP its address and headers', () => {
    expect(client.actor('ann').mcp).toEqual({
      url: `${GATE}/mcp`,
      headers: { 'x-service-api-key': acme.key, 'x-service-actor': 'ann' },
    });
  });
});
