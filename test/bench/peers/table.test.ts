import { describe, expect, it } from 'vitest';
import { bars } from './bars.ts';
import { mcpCatalog, openApi, TOOL_COUNT } from './catalog.ts';
import type { Peer } from './peer.ts';
import type { Line } from './rounds.ts';
import { markdown, ratioTo } from './table.ts';

const peers = ['Ours', 'Official SDK v9', 'mcp-proxy', 'executor'].map((name): Peer => ({
  name,
  version: '1.2.3',
  url: '',
  credentials: {},
  command: ['', []],
  env: {},
  log: '',
  asks: { list: '', search: '', call: '', builtin: '' },
}));
const rates: Line = {
  what: 'Calls',
  unit: '/s',
  more: true,
  cells: [[1_000, 1_200, 1_100], [100, 600, 110], [10, 10, 10], 'cannot: it has no | tools'],
};
const times: Line = { what: 'Start', unit: 'ms', more: false, cells: [[100], [250]] };

describe('the comparison table', () => {
  it('takes the median of the ratios of each round', () => {
    expect(ratioTo(rates, 1)).toBe(10);
    expect(ratioTo(times, 1)).toBe(2.5);
    expect(ratioTo(rates, 3)).toBeNull();
  });

  it('has a column for each peer with its version, and says what a peer cannot do', () => {
    expect(markdown(peers, [rates]).split('\n')).toEqual([
      '|  | Ours 1.2.3 | Official SDK v9 1.2.3 | mcp-proxy 1.2.3 | executor 1.2.3 |',
      '| --- | --- | --- | --- | --- |',
      '| Calls | 1,100 /s | 110 /s (10 ×) | 10 /s (110 ×) | cannot: it has no \\| tools |',
    ]);
  });

  it('compares a target only with peers that ran, and misses it when none ran', () => {
    const [list, call] = bars({ peers, line: rates }, { peers, line: rates });
    expect(list).toMatchObject({ measured: expect.stringContaining('10 × Official SDK v9'), holds: true });
    expect(call).toMatchObject({ measured: '110 × mcp-proxy 1.2.3', bar: '≥ 10 ×', holds: true });
    const nobody: Line = { ...rates, cells: [[1], 'cannot', 'cannot', 'cannot'] };
    expect(bars({ peers, line: nobody }, { peers, line: nobody }).map(({ holds }) => holds)).toEqual([
      false,
      false,
    ]);
  });
});

describe('the synthetic tools', () => {
  it('include the same 2,000 tools as MCP tools and as OpenAPI operations', () => {
    const document = openApi('http://127.0.0.1:1') as { paths: Record<string, unknown> };
    expect(TOOL_COUNT).toBe(2_000);
    expect(mcpCatalog()).toHaveLength(TOOL_COUNT);
    expect(Object.keys(document.paths)).toHaveLength(TOOL_COUNT);
  });
});
