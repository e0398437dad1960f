// Tests the lines and links for clients by parsing them as those clients do.
import { describe, expect, it } from 'vitest';
import * as recipes from '../../portal/pages/clients/recipes.ts';
import { toolCurl } from '../../portal/pages/tools/curl.ts';

const ORIGIN = 'https://tools.example.com';
const SERVER = { url: `${ORIGIN}/mcp`, headers: { 'x-service-api-key': 'k'.repeat(64) } };
const KEY = 'k'.repeat(64);

describe('Portal recipes', () => {
  it('puts a server of mcp.json into the Cursor link', () => {
    const link = new URL(recipes.cursorLink(ORIGIN, KEY));
    expect(link.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=gateway&config=/);
    expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toEqual(SERVER);
    expect(JSON.parse(recipes.cursorFile(ORIGIN, KEY))).toEqual({ mcpServers: { gateway: SERVER } });
  });

  it('puts the same server into the VS Code link and line', () => {
    const expected = { name: 'gateway', type: 'http', ...SERVER };
    const [scheme, query] = recipes.vsCodeLink(ORIGIN, KEY).split('?');
    expect(scheme).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(query ?? ''))).toEqual(expected);
    expect(JSON.parse(recipes.vsCodeLine(ORIGIN, KEY).split("'")[1] ?? '')).toEqual(expected);
  });

  it('gives a client that signs in an address and no header', () => {
    expect(recipes.claudeCode(ORIGIN, null)).toBe(`claude mcp add --transport http gateway ${ORIGIN}/mcp`);
    expect(JSON.parse(recipes.cursorFile(ORIGIN, null))).toEqual({
      mcpServers: { gateway: { url: `${ORIGIN}/mcp` } },
    });
    expect(JSON.parse(recipes.vsCodeLine(ORIGIN, null).split("'")[1] ?? '')).toEqual({
      name: 'gateway',
      type: 'http',
      url: `${ORIGIN}/mcp`,
    });
  });

  it('copies a run as curl with quotes of any kind', () => {
    const line = toolCurl(ORIGIN, KEY, { integration: 'time', name: 'time_now' }, { text: `it's "quoted"` });
    expect(line).toContain(String.raw`-d '{"tool":"time_now","args":{"text":"it'\''s \"quoted\""}}'`);
  });
});
