// Pretends that the gateway has many integrations in every state, for pages that a fresh gateway cannot fill.
import type { Page } from 'playwright-core';
import { fetchWhole } from './visit.ts';

type Pretended = [name: string, displayName: string, description: string, category: string, authType: string];

const ROWS: readonly Pretended[] = [
  ['github', 'GitHub', 'Pull requests, issues, Actions', 'code', 'oauth2'],
  ['gitlab', 'GitLab', 'Merge requests and pipelines on any instance', 'code', 'oauth2'],
  ['bitbucket', 'Bitbucket', 'Repositories and pipelines', 'code', 'oauth2'],
  ['linear', 'Linear', 'Issues, cycles and projects', 'planning', 'oauth2'],
  ['notion', 'Notion', 'Pages, databases and comments', 'docs', 'oauth2'],
  ['wiki', 'Intranet wiki', 'Company wiki behind SSO', 'docs', 'cookie'],
  ['slack', 'Slack', 'Messages, channels and search', 'messaging', 'oauth2'],
  ['datadog', 'Datadog', 'Monitors, logs and dashboards', 'observability', 'apikey'],
  ['sentry', 'Sentry', 'Errors and releases', 'observability', 'apikey'],
  ['jira', 'Jira', 'Issues, boards and sprints', 'planning', 'oauth2'],
];

const STATES: Record<string, object> = {
  bitbucket: { health: 'needs_reconnect', status: 'reconnect', cause: 'Bitbucket answered 401' },
  wiki: {
    health: 'expiring',
    expiresAt: Math.floor(Date.now() / 1000) + 2 * 24 * 3600,
    status: 'ok',
    way: 'cookie',
  },
  datadog: { health: 'ok', status: 'unverified', way: 'apikey' },
};
const GOOD = { health: 'ok', status: 'ok', account: { id: '1', label: 'ana@example.com' } };
const CONNECTED = ['github', 'gitlab', 'bitbucket', 'linear', 'notion', 'wiki', 'datadog'];

/** Shows this window many integrations beside the real Time, and the tools of the first one. */
export async function pretendMany(page: Page): Promise<void> {
  await addTo(page, '**/api/integrations', 'integrations', () =>
    ROWS.map(([name, displayName, description, category, authType], index) => ({
      name,
      version: '1.0.0',
      displayName,
      description,
      categories: [category],
      logo: `/api/integrations/time/logo`,
      authType,
      toolCount: 9 + index * 3,
      configured: name !== 'jira',
    })),
  );
  await addTo(page, '**/api/connections', 'connections', () =>
    ROWS.map(([name]) => ({
      name,
      connected: CONNECTED.includes(name),
      ...(CONNECTED.includes(name) ? (STATES[name] ?? GOOD) : {}),
    })),
  );
  await page.route('**/api/imports/catalogue', (route) => route.fulfill({ json: { servers: [] } }));
  // Nobody has set up the sign-in with Jira, and its page has no other way.
  await page.route('**/api/integrations/{jira,github}', (route) =>
    route.fulfill({ json: { ways: [SIGN_IN], tools: [] } }),
  );
  await page.route('**/api/admin/clients/*', (route) =>
    route.fulfill({ json: { integration: 'github', clientId: 'Iv1.0123456789abcdef', source: 'portal' } }),
  );
  await addTo(page, '**/api/tools', 'tools', () =>
    TOOLS.map(([name, description, access]) => ({ name, description, access, integration: 'github' })),
  );
  await page.route('**/rest/github', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({
          json: {
            integration: 'github',
            connected: true,
            tools: TOOLS.map(([name, description]) => ({ name, description, inputSchema: SCHEMA })),
          },
        })
      : route.fulfill({ status: 400, json: { error: REFUSAL } }),
  );
}

const SIGN_IN = { kind: 'oauth2', ready: true, redirectUri: 'https://gateway.example', scopes: ['repo'] };

interface Row {
  name: string;
  /** The integration of a tool. */
  integration?: string;
}

// Keeps only Time of the shipped integrations, so that the shipped ones can change without these tests.
async function addTo(page: Page, url: string, member: string, more: () => Row[]): Promise<void> {
  await page.route(url, async (route) => {
    // A gateway that a test has stopped answers nothing, and neither does this.
    const response = await fetchWhole(route).catch(() => null);
    if (response === null) return route.abort();
    const body: Record<string, Row[]> = await response.json();
    const kept = (body[member] ?? []).filter(({ name, integration = name }) => integration === 'time');
    await route.fulfill({ response, json: { [member]: [...more(), ...kept] } });
  });
}

const TOOLS: readonly [string, string, string][] = [
  ['github_list_pull_requests', 'List pull requests in a repository', 'read'],
  ['github_create_pull_request', 'Open or update a pull request', 'write'],
  ['github_search_code', 'Search code across repositories', 'read'],
  ['github_delete_branch', 'Delete a branch', 'destroy'],
];

const REFUSAL =
  'Invalid arguments for github_delete_branch: owner: must be a user or an organization; labels: too many';

const SCHEMA = {
  type: 'object',
  properties: {
    owner: { type: 'string', description: 'Who owns the repository' },
    state: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
    perPage: { type: 'integer', default: 10 },
    score: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    draft: { type: 'boolean', default: false },
    labels: { type: 'array', items: { type: 'string' }, description: 'Names of labels' },
    filter: { type: 'object', properties: {}, description: 'Anything else' },
    body: { type: 'string' },
  },
  required: ['owner'],
  additionalProperties: false,
};
