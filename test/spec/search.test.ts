// Tests the literal rule of `search_tools` over a fixed corpus of tools.
import { describe, expect, it } from 'vitest';
import { searchIn, segmentOf } from '../support/shipped-search.ts';
import { TOOL_CORPUS } from '../support/tool-corpus.ts';

const search = searchIn(segmentOf(TOOL_CORPUS));
const names = (query: string): string[] => search.literal(query).map((tool) => tool.name);

describe('the literal search', () => {
  it('finds the exact string in names and in descriptions', () => {
    expect(names('workflow_dispatch')).toEqual(['github_trigger_workflow']);
    expect(names('gitlab_play')).toEqual(['gitlab_play_job']);
  });

  it('folds case on both sides', () => {
    expect(names('PROMQL')).toEqual(['grafana_query_prometheus']);
    expect(names('promql')).toEqual(names('PromQL'));
    const acme = searchIn(segmentOf([{ name: 'Acme_Ping', description: 'Says HELLO', integration: 'acme' }]));
    for (const query of ['acme_ping', 'ACME', 'hello']) expect(acme.literal(query)).toHaveLength(1);
  });

  it('reads several words as one string', () => {
    expect(names('pull request by')).toEqual(['github_merge_pull_request']);
    expect(names('request pull')).toEqual([]);
  });

  it('trims nothing', () => {
    expect(names('gist')).toEqual(['github_create_gist']);
    expect(names(' gist')).toEqual(['github_create_gist']);
    expect(names('  gist')).toEqual([]);
    expect(names('gist ')).toEqual([]);
  });

  it('never matches across name and description', () => {
    expect(names('gistCreate')).toEqual([]);
    expect(names('gist create')).toEqual([]);
  });

  it('ignores typos, stems and synonyms', () => {
    expect(names('crete issue')).toEqual([]);
    expect(names('merge MR')).toEqual([]);
  });

  it('treats patterns as text', () => {
    expect(names('.*')).toEqual([]);
    expect(names('(SQL)')).toEqual(['posthog_query']);
  });

  it('returns everything for the empty query, in the order of the registry, without a limit', () => {
    expect(search.literal('')).toEqual(TOOL_CORPUS);
    const listing = TOOL_CORPUS.filter((tool) => /list/i.test(`${tool.name}\n${tool.description}`));
    expect(search.literal('list')).toEqual(listing);
    expect(listing.length).toBeGreaterThan(100);
  });

  it('returns name, description and integration, and no other member', () => {
    const tool = { name: 'acme_ping', description: 'Ping Acme.', integration: 'acme', secret: 'no' };
    const acme = searchIn(segmentOf([tool]));
    expect(acme.literal('ping')).toEqual([
      { name: 'acme_ping', description: 'Ping Acme.', integration: 'acme' },
    ]);
    expect(acme.suggest('pinging', new Set())).toEqual(acme.literal('ping'));
  });
});
