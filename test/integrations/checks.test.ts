// Tests how the checks of the manifests judge what each provider answers to a right, a wrong and a restricted
// credential. The answers are those of the providers' documentation. reference: Upstream calls
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { createTestApp } from '../support/test-app.ts';

type Said = readonly [status: number, body: unknown];

/** Enters a key while the provider answers everything with this. */
async function enter(
  [name, origin, values]: readonly [string, string, Record<string, string>],
  [status, body]: Said,
): Promise<{ status: number; body: unknown; asked: string[] }> {
  const asked: string[] = [];
  const server = await startHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const app = await createTestApp({ env: { UPSTREAM_MAP: `${origin}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const ana = await app.user();
  const response = await app.request(`/api/auth/apikey/${name}`, {
    method: 'POST',
    headers: { ...ana.sessionHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ values }),
  });
  return { status: response.status, body: await response.json(), asked };
}

const OWN = 'https://tool.example.com';
const KEYS = {
  bitbucket: ['bitbucket', 'https://api.bitbucket.org', { email: 'ana@example.com', token: 't' }],
  confluence: [
    'confluence',
    'https://acme.atlassian.net',
    { email: 'ana@example.com', token: 't', instanceUrl: 'https://acme.atlassian.net' },
  ],
  datadog: [
    'datadog',
    'https://api.datadoghq.eu',
    { site: 'datadoghq.eu', apiKey: 'k', applicationKey: 'a' },
  ],
  figma: ['figma', 'https://api.figma.com', { token: 't' }],
  gitlab: ['gitlab', 'https://gitlab.com', { token: 't' }],
  grafana: ['grafana', OWN, { token: 't', instanceUrl: OWN }],
  linear: ['linear', 'https://api.linear.app', { apiKey: 'k' }],
  pagerduty: ['pagerduty', 'https://api.pagerduty.com', { token: 't' }],
  posthog: ['posthog', 'https://us.posthog.com', { apiKey: 'k' }],
  redmine: ['redmine', OWN, { apiKey: 'k', instanceUrl: OWN }],
  sentry: ['sentry', 'https://us.sentry.io', { token: 't' }],
  slack: ['slack', 'https://slack.com', { token: 't' }],
} as const satisfies Record<string, readonly [string, string, Record<string, string>]>;
type Name = keyof typeof KEYS;

const RIGHT: readonly [Name, string, unknown, { id: string; label: string } | undefined][] = [
  ['datadog', 'GET /api/v2/validate_keys', { status: 'ok' }, undefined],
  ['pagerduty', 'GET /abilities', { abilities: ['teams'] }, undefined],
  ['grafana', 'GET /api/org', { id: 1, name: 'Main Org.' }, { id: '1', label: 'Main Org.' }],
  ['sentry', 'GET /api/0/organizations/', [{ id: '7', slug: 'acme' }], { id: '7', label: 'acme' }],
  ['posthog', 'GET /api/users/@me/', { uuid: 'u', email: 'a@b.c' }, { id: 'u', label: 'a@b.c' }],
  ['redmine', 'GET /users/current.json', { user: { id: 5, login: 'ana' } }, { id: '5', label: 'ana' }],
];

const WRONG: readonly [Name, Said][] = [
  ['datadog', [403, { errors: ['Forbidden'] }]],
  ['pagerduty', [401, { error: { message: 'Unauthenticated', code: 2006 } }]],
  ['figma', [403, { status: 403, err: 'Invalid token' }]],
  ['gitlab', [401, { message: '401 Unauthorized' }]],
  ['grafana', [401, { message: 'Invalid API key' }]],
  [
    'posthog',
    [401, { code: 'authentication_failed', detail: 'Personal API key found in request is invalid.' }],
  ],
  ['sentry', [401, { detail: 'Invalid token' }]],
  ['slack', [200, { ok: false, error: 'invalid_auth' }]],
  ['slack', [200, { ok: false, error: 'account_inactive' }]],
  [
    'linear',
    [
      400,
      {
        errors: [
          {
            message: 'Authentication required, not authenticated',
            extensions: { code: 'AUTHENTICATION_ERROR' },
          },
        ],
      },
    ],
  ],
  ['confluence', [200, { type: 'anonymous', displayName: 'Anonymous' }]],
];

const RESTRICTED: readonly [Name, Said][] = [
  [
    'bitbucket',
    [
      403,
      { type: 'error', error: { message: 'Your credentials lack one or more required privilege scopes.' } },
    ],
  ],
  [
    'figma',
    [403, { status: 403, err: 'Invalid scope(s): file_content:read. This requires current_user:read' }],
  ],
  [
    'gitlab',
    [403, { error: 'insufficient_scope', error_description: 'The request requires higher privileges.' }],
  ],
  ['grafana', [403, { message: 'You’ll need additional permissions. Permissions needed: orgs:read' }]],
  ['posthog', [403, { code: 'permission_denied', detail: "API key missing required scope 'user:read'" }]],
  ['sentry', [403, { detail: 'You do not have permission to perform this action.' }]],
];

describe('a check', () => {
  it.each(RIGHT)('accepts a key of %s by %s', async (name, request, body, account) => {
    const entered = await enter(KEYS[name], [200, body]);
    expect(entered).toEqual({
      status: 200,
      body: { success: true, status: 'ok', ...(account === undefined ? {} : { account }) },
      asked: [request],
    });
  });

  it.each(WRONG)('refuses a wrong credential of %s: %j', async (name, said) => {
    expect(await enter(KEYS[name], said)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/ answered /) },
    });
  });

  it.each(RESTRICTED)('does not call a restricted credential of %s wrong: %j', async (name, said) => {
    expect(await enter(KEYS[name], said)).toMatchObject({
      status: 200,
      body: { success: true, status: 'unverified' },
    });
  });

  it.each(['jira', 'confluence'])('asks for the site before it takes a token of %s', async (name) => {
    const nowhere = [name, OWN, { email: 'ana@example.com', token: 't' }] as const;
    const entered = await enter(nowhere, [200, {}]);
    expect(entered).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^Missing required field: Address of your/) },
      asked: [],
    });
  });

  it('is not made for Resend, which answers 401 to a valid key that may only send', async () => {
    const key = ['resend', 'https://api.resend.com', { apiKey: 're_x' }] as const;
    const entered = await enter(key, [401, { name: 'restricted_api_key' }]);
    expect(entered).toMatchObject({ status: 200, body: { status: 'unverified' }, asked: [] });
  });
});
