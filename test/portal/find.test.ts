// Tests how the portal's own lists are searched.
import { describe, expect, it } from 'vitest';
import { findMatches, rankMatches } from '../../portal/state/find.ts';

const NAMES = ['GitHub', 'GitLab', 'Google Calendar', 'Gmail', 'Jira', 'Notion', 'Datadog'];
const find = (query: string, names: readonly string[] = NAMES) => findMatches(names, query, (name) => name);

describe('a search in a list', () => {
  it.each([
    ['git', ['GitHub', 'GitLab']],
    ['GOOGLE cal', ['Google Calendar']],
    ['  ', NAMES],
    ['cal gmail', []],
  ])('finds what contains every word of %j', (query, found) => expect(find(query)).toEqual(found));

  it.each([
    ['githbu', 'GitHub'],
    ['gihub', 'GitHub'],
    ['githhub', 'GitHub'],
    ['gmial', 'Gmail'],
    ['notoin', 'Notion'],
    ['calender', 'Google Calendar'],
    ['goggle calander', 'Google Calendar'],
    ['datadgo', 'Datadog'],
    ['datta', 'Datadog'],
  ])('forgives the typing error in %j', (query, name) => expect(find(query)).toEqual([name]));

  it.each(['jra', 'xyz', 'salesforce', 'gitlabhub', 'no'.repeat(400)])(
    'takes %j for no typing error of something else',
    (query) => expect(find(query)).toEqual([]),
  );

  it('guesses nothing while something matches exactly', () => {
    expect(find('note', ['Notes', 'Notion', 'Vote'])).toEqual(['Notes']);
  });

  it('shows first what begins with the words', () => {
    const labels = ['My calendar', 'Recalled', 'Calendar', 'Google calendar'];
    expect(rankMatches(labels, 'cal', (label) => label)).toEqual([
      'Calendar',
      'My calendar',
      'Google calendar',
      'Recalled',
    ]);
  });
});
