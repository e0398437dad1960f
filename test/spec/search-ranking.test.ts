// Tests the ranked search of search_tools over the shipped tools: the right tool comes first for sentences.
import { describe, expect, it } from 'vitest';
import { searchIn, segmentOf, SHIPPED } from '../support/shipped-search.ts';
import type { QueryRow } from './search-queries.ts';
import { HELD_OUT, TUNED } from './search-sentences.ts';

const search = searchIn(segmentOf(SHIPPED));
const ranked = (query: string, integration?: string, ...connected: string[]): string[] =>
  search.ranked(query, { limit: 5, connected: new Set(connected), integration }).map((tool) => tool.name);

const answersOf = ([, right]: QueryRow): string[] => right.split(' ');
const placeOf = (row: QueryRow): number => ranked(row[0]).findIndex((name) => answersOf(row).includes(name));

describe('ranked search', () => {
  it('is asked only for tools that exist', () => {
    const known = new Set(SHIPPED.map(({ name }) => name));
    expect([...TUNED, ...HELD_OUT].flatMap(answersOf).filter((name) => !known.has(name))).toEqual([]);
    expect(new Set([...TUNED, ...HELD_OUT].map(([query]) => query)).size).toBe(
      TUNED.length + HELD_OUT.length,
    );
  });

  it.each([
    ['every sentence', [...TUNED, ...HELD_OUT]],
    ['the sentences that it was not tuned with', HELD_OUT],
  ])('shows a right tool first for 92 of 100, and among five for 99 of 100: %s', (_of, rows) => {
    const places = rows.map((row) => ({ row, place: placeOf(row) }));
    const share = (count: number): number => count / rows.length;
    const missed = places
      .filter(({ place }) => place < 0)
      .map(({ row }) => `${row[0]} → ${ranked(row[0])[0]}`);
    console.info(`${rows.length} sentences, missed: ${JSON.stringify(missed, null, 2)}`);
    expect(share(places.filter(({ place }) => place === 0).length)).toBeGreaterThanOrEqual(0.92);
    expect(share(rows.length - missed.length)).toBeGreaterThanOrEqual(0.99);
  });

  it.each([
    ['read a web page', 'web_fetch'],
    ['publish a page', 'deploy_jot'],
    ['is this dependency vulnerable', 'osv_query_package'],
    ['upload a file to google drive', 'gdrive_upload_file'],
    ['E-Mail mit Anhang senden', 'gmail_send_message'],
    ['post a chat message', 'slack_post_message'],
  ])('finds %s', (query, name) => {
    expect(ranked(query)[0]).toBe(name);
  });

  it('looks in one integration only, when it is given', () => {
    expect(ranked('créer un ticket', 'linear')[0]).toBe('linear_create_issue');
    expect(ranked('send an email', 'linear').every((name) => name.startsWith('linear_'))).toBe(true);
    expect(ranked('add a comment', 'notion')[0]).toBe('notion_create_comment');
  });

  it('puts a connected integration first among equals', () => {
    for (const name of ['gitlab', 'jira', 'linear'])
      expect(ranked('create an issue', undefined, name)[0]).toBe(`${name}_create_issue`);
  });

  it('puts an exact name first, and what only contains the query last', () => {
    expect(ranked('github_list_issues')[0]).toBe('github_list_issues');
    expect(ranked('workflow_disp')).toContain('github_trigger_workflow');
  });

  it('follows a changed list with a new search', () => {
    const acme = { name: 'acme_ship_parcel', description: 'Ship a parcel.', integration: 'acme' };
    const more = searchIn(segmentOf([...SHIPPED, acme]));
    const found = more.ranked('ship my parcel', { limit: 1, connected: new Set() });
    expect(found.map((tool) => tool.name)).toEqual(['acme_ship_parcel']);
  });

  it('reads a small registry as well as a large one', () => {
    const acme = searchIn(
      segmentOf([
        { name: 'acme_voidInvoice', description: 'Voids one.', integration: 'acme' },
        { name: 'acme_weather', description: 'Forecast for a city.', integration: 'acme', access: 'read' },
      ]),
    );
    const first = (query: string) => acme.ranked(query, { limit: 1, connected: new Set() })[0]?.name;
    expect(first('void the invoice')).toBe('acme_voidInvoice');
    expect(first('what is the weather in Paris')).toBe('acme_weather');
  });

  it.each(['@', '.', '-', '/', 'a.', 'a-', 'a@', 'https://', '#a', 'cve-', '12:34'])(
    'bears thousands of %s',
    (piece) => {
      expect(ranked(piece.repeat(5_000)).length).toBeLessThanOrEqual(5);
    },
  );
});
