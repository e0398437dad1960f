// Tests an MCP client in a page of another origin: its preflight requests, and the headers it needs to read.
// decision: 031
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { useTools } from './use-tools.ts';

const PAGE = 'https://inspector.example.com';
const STRANGER = 'https://evil.example.com';

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start({ env: { MCP_ALLOWED_ORIGINS: PAGE } });
});
afterAll(() => site.close());

/**
 * Calls like `fetch` in a page: with an Origin, after a preflight, and without access when CORS does not
 * allow it.
 */
function fetchFrom(origin: string): typeof fetch {
  return async function fetchOfPage(input, init) {
    const headers = new Headers(init?.headers);
    const asked = [...headers.keys()].join(',');
    const preflight = await fetch(input, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': init?.method ?? 'GET',
        'access-control-request-headers': asked,
      },
    });
    const allows = (name: string) =>
      (preflight.headers.get(name) ?? '').split(',').map((item) => item.trim().toLowerCase());
    const refused = [...headers.keys()].filter(
      (name) => !allows('access-control-allow-headers').includes(name),
    );
    if (!allows('access-control-allow-origin').includes(origin) || refused.length > 0)
      throw new TypeError(`Failed to fetch: preflight ${preflight.status}, refused ${refused.join()}`);
    headers.set('origin', origin);
    const response = await fetch(input, { ...init, headers });
    if (response.headers.get('access-control-allow-origin') !== origin)
      throw new TypeError('Failed to fetch');
    return response;
  };
}

function connecting(origin: string, headers: Record<string, string>) {
  const client = new Client({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', gateway.base), {
    fetch: fetchFrom(origin),
    requestInit: { headers },
  });
  return { client, done: client.connect(transport) };
}

describe('an MCP client in a browser', () => {
  it.each([PAGE, 'http://localhost:6274'])('works from %s', async (origin) => {
    const { client, done } = connecting(origin, { 'x-service-api-key': gateway.apiKey });
    await done;
    await useTools(client);
    await client.close();
  });

  it('reads the challenge across origins', async () => {
    const response = await fetchFrom(PAGE)(new URL('/mcp', gateway.base), { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('resource_metadata=');
    expect(response.headers.get('access-control-expose-headers')?.toLowerCase()).toContain(
      'www-authenticate',
    );
  });

  it('is refused from an origin that is not allowed', async () => {
    const headers = { 'x-service-api-key': gateway.apiKey, origin: STRANGER };
    const response = await gateway.request('/mcp', { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    await expect(connecting(STRANGER, { 'x-service-api-key': gateway.apiKey }).done).rejects.toThrow();
  });
});
