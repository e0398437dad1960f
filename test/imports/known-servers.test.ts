// Tests the catalogue of well-known MCP servers: the form of its entries, and that docs/mcp-servers.md names each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { knownServers } from '../../src/imports/known-servers.ts';

const servers = knownServers();
const builtIn = new Set(integrations.map(({ name }) => name));

/** Categories that no built-in integration has. */
const MORE_CATEGORIES = ['automation', 'data', 'hosting', 'payments', 'sales', 'search'];

/** Providers that document their server at another domain than the one that it runs at. */
const OTHER_DOMAINS: Record<string, string> = {
  clickhouse: 'clickhouse.com',
  deepwiki: 'devin.ai',
  neon: 'neon.com',
  netlify: 'netlify.com',
  planetscale: 'planetscale.com',
  revenuecat: 'revenuecat.com',
  slack_mcp: 'slack.dev',
};

const domainOf = (url: string) => new URL(url).hostname.split('.').slice(-2).join('.');

/** The rows of the table in the documentation: name, address, kind and source. */
const rows = (
  readFileSync(join(import.meta.dirname, '../../docs/mcp-servers.md'), 'utf8').split(
    '\n## Well-known servers\n',
  )[1] ?? ''
)
  .split(/^## /m)[0]
  ?.matchAll(/^\| `(\w+)` \| `(.*?)` \| (.*?) \| (.*?) \|$/gm)
  .map(([, name, address, kind, source = '']) => ({ name, address, kind, source }))
  .toArray();

describe('the known servers', () => {
  it('are at least forty', () => {
    expect(servers.length).toBeGreaterThanOrEqual(40);
  });

  it('have unique names and addresses', () => {
    expect(new Set(servers.map(({ name }) => name)).size).toBe(servers.length);
    expect(new Set(servers.map(({ displayName }) => displayName)).size).toBe(servers.length);
    expect(new Set(servers.map(({ address }) => address.replace(/\/$/, ''))).size).toBe(servers.length);
  });

  it('come in the order of their names', () => {
    const names = servers.map(({ displayName }) => displayName);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  });

  it('are the ones that the documentation names, with the same address and kind and a source', () => {
    const expected = servers.map(({ name, address, auth, headers = {} }) => ({
      name,
      address,
      kind: [auth, ...Object.entries(headers).map(([header, value]) => `\`${header}: ${value}\``)].join(': '),
      source: expect.stringMatching(/^\[[^\]]+\]\(https:\/\/[^)]+\)/) as unknown,
    }));
    expect(rows).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
  });
});

describe.each(servers)('$name', (server) => {
  it('has a name that an import may have and no built-in integration has', () => {
    expect(server.name).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
    expect(builtIn).not.toContain(server.name);
    expect(server.logo).toBe(`/api/imports/logos/${server.name}`);
  });

  it('has an address with https, and without a credential, a query or a placeholder', () => {
    const { protocol, username, password, search, hash, href } = new URL(server.address);
    expect({ protocol, username, password, search, hash }).toEqual({
      protocol: 'https:',
      username: '',
      password: '',
      search: '',
      hash: '',
    });
    expect([server.address, `${server.address}/`]).toContain(href);
    expect(server.address).not.toMatch(/[{}<>$]/);
  });

  it("links to a page of the server's provider", () => {
    const { protocol, hostname, pathname } = new URL(server.docs);
    expect(protocol).toBe('https:');
    if (hostname === 'github.com') expect(pathname).toMatch(/^\/[\w.-]+\/[\w.-]+/);
    else expect(domainOf(server.docs)).toBe(OTHER_DOMAINS[server.name] ?? domainOf(server.address));
  });

  it('says in one short sentence what it is for', () => {
    expect(server.description).toMatch(/^[A-Z][^\n]*[^.]\.$/);
    expect(server.description.length).toBeLessThan(120);
  });

  it('says where a token goes exactly if it takes one', () => {
    const values = Object.values(server.headers ?? {});
    expect(values.length > 0).toBe(server.auth === 'token');
    for (const value of values) expect(value.split('{token}')).toHaveLength(2);
  });

  it('names a built-in integration that exists, and categories that the portal knows', () => {
    if (server.builtIn !== undefined) expect(builtIn).toContain(server.builtIn);
    const known = new Set([...integrations.flatMap(({ categories }) => categories), ...MORE_CATEGORIES]);
    expect(server.categories.filter((category) => !known.has(category))).toEqual([]);
    expect(server.categories.length).toBeGreaterThan(0);
  });
});
