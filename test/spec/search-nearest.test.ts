// Tests the names that are near an unknown name of a tool or an integration.
import { describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { META_TOOL_NAMES } from '../../src/kit/meta-tool-names.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { createNearest } from '../../src/search/nearest.ts';
import { searchablesOf } from '../../src/search/search.ts';
import { searchIn, segmentOf } from '../support/shipped-search.ts';
import { createTestApp } from '../support/test-app.ts';
import { rpc } from '../support/mcp.ts';

const registry = createRegistry(integrations);
const nearest = createNearest(registry, searchIn(segmentOf(searchablesOf(registry.tools))));

describe('the nearest tools', () => {
  it.each([
    ['github_list_issue', 'github_list_issues'],
    ['githublistissues', 'github_list_issues'],
    ['github.list_issues', 'github_list_issues'],
    ['gmail_send_email', 'gmail_send_message'],
    ['slack_send_message', 'slack_post_message'],
    ['google_drive_upload', 'gdrive_upload_file'],
    ['jiraCreateTicket', 'jira_create_issue'],
  ])('of %s begin with %s', (name, right) => {
    expect(nearest.tools(name)[0]).toBe(right);
    expect(nearest.tools(name).length).toBeLessThanOrEqual(3);
  });

  it('are of one integration, when one is given', () => {
    const linear = registry.integration('linear');
    expect(nearest.tools('create_ticket', linear)[0]).toBe('linear_create_issue');
    for (const name of nearest.tools('list_isues', linear)) expect(name).toMatch(/^linear_/);
  });

  it.each(['xyzzy', '', '__proto__', 'x'.repeat(100_000), ...META_TOOL_NAMES])(
    'of %.20s are none',
    (name) => {
      expect(nearest.tools(name)).toEqual([]);
    },
  );

  it('are looked up for the first names of a batch only', () => {
    const near = nearest.forBatch();
    const found = Array.from({ length: 12 }, () => near('github_list_issue').length);
    expect(found.filter((count) => count > 0)).toHaveLength(10);
  });
});

describe('the nearest integrations', () => {
  it.each([
    ['git_hub', 'github'],
    ['Google Calendar', 'gcalendar'],
    ['google-drive', 'gdrive'],
    ['hacker news', 'hackernews'],
    ['jria', 'jira'],
    ['slackk', 'slack'],
  ])('of %s begin with %s', (name, right) => {
    expect(nearest.integrations(name)[0]).toBe(right);
  });

  it.each(['xyzzy', '', '__proto__', 'constructor', 'x'.repeat(100_000)])('of %.20s are none', (name) => {
    expect(nearest.integrations(name)).toEqual([]);
  });
});

it('knows the nine meta-tools by name', async () => {
  const app = await createTestApp();
  const { keyHeader } = await app.user();
  const { body } = await rpc(app, keyHeader, 'tools/list');
  expect(body.result).toMatchObject({ tools: META_TOOL_NAMES.map((name) => ({ name })) });
  await app.close();
});
