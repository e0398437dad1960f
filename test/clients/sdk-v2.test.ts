// Runs the official SDK's second generation, which speaks both eras, unmodified, against the real process.
// decision: 031
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { useTools } from './use-tools.ts';

const MODERN = '2026-07-28';
type Mode = 'legacy' | 'auto' | { pin: string };

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
});
afterAll(() => site.close());

const byKey = () => ({ 'x-service-api-key': gateway.apiKey });
const bySession = () => ({ authorization: `Bearer ${gateway.session}` });

async function connected(mode: Mode, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', gateway.base), { requestInit: { headers } }),
  );
  return client;
}

describe('SDK v2', () => {
  it.each([
    { by: 'the era before, with an API key', mode: 'legacy', credential: byKey, era: 'legacy' },
    { by: 'the era before, with a session token', mode: 'legacy', credential: bySession, era: 'legacy' },
    {
      by: 'the modern era, found by itself, with an API key',
      mode: 'auto',
      credential: byKey,
      era: 'modern',
    },
    {
      by: 'the modern era, found by itself, with a session',
      mode: 'auto',
      credential: bySession,
      era: 'modern',
    },
    { by: 'the modern era, pinned', mode: { pin: MODERN }, credential: byKey, era: 'modern' },
  ] as const)('lists nine tools and uses them in $by', async ({ mode, credential, era }) => {
    const client = await connected(mode, credential());
    expect(client.getProtocolEra()).toBe(era);
    expect(client.getServerVersion()).toMatchObject({ name: 'service', version: '0.1.0' });
    await useTools(client);
    await client.close();
  });

  it('pings in the era that has ping', async () => {
    const client = await connected('legacy', byKey());
    expect(await client.ping()).toEqual({});
    await client.close();
  });

  it('discovers the server in the modern era', async () => {
    const client = await connected('auto', byKey());
    expect(client.getNegotiatedProtocolVersion()).toBe(MODERN);
    expect(await client.discover()).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
    });
    await client.close();
  });

  it.each(['legacy', 'auto'] as const)('reports that it is not authorized (%s)', async (mode) => {
    await expect(connected(mode, {})).rejects.toThrow(/authoriz/i);
  });
});
