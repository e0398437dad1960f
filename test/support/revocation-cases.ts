// The providers that end a grant on request, each with the one request that their documentation describes.
// docs/integrations.md names the pages.

export const CLIENT = { id: 'the-gateway', secret: 'client-secret' };
export const TOKENS = { access_token: 'access-of-ana', refresh_token: 'refresh-of-ana' };

export interface RevocationCase {
  name: string;
  /** The declared origins that the fake provider stands for. */
  origins: readonly string[];
  tokenPath: string;
  /** Where the person's own instance is, if they have one. */
  instanceUrl?: string;
  /** The path of the check, and what it answers before the grant has ended and after. */
  check: readonly [path: string, before: object, after: readonly [status: number, body: object]];
  /** The request that ends the grant. `body` is as it travels. */
  request: {
    method: string;
    path: string;
    authorization: string | null;
    type: string | null;
    body: Record<string, string>;
  };
  /** What the provider answers to it. */
  answer: readonly [status: number, body: object];
  /** What it answers when the grant has ended already. Absent where the documentation does not say. */
  gone?: readonly [status: number, body: object];
}

const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const denied = [401, { message: 'Bad credentials' }] as const;

const github = {
  name: 'github',
  tokenPath: '/login/oauth/access_token',
  request: {
    method: 'DELETE',
    authorization: basic,
    type: json,
    body: { access_token: TOKENS.access_token },
  },
  answer: [204, {}],
  gone: [404, { message: 'Not Found' }],
} as const;

const gitlab = {
  name: 'gitlab',
  origins: ['https://gitlab.com'],
  tokenPath: '/oauth/token',
  check: ['/api/v4/user', { id: 7, username: 'ana' }, denied],
  request: {
    method: 'POST',
    path: '/oauth/revoke',
    authorization: null,
    type: form,
    body: { client_id: CLIENT.id, client_secret: CLIENT.secret, token: TOKENS.refresh_token },
  },
  answer: [200, {}],
  gone: [200, {}],
} as const;

function google(name: string, path: string, account: object): RevocationCase {
  return {
    name,
    origins: [
      'https://oauth2.googleapis.com',
      'https://openidconnect.googleapis.com',
      'https://www.googleapis.com',
      'https://gmail.googleapis.com',
    ],
    tokenPath: '/token',
    check: [path, account, [401, { error: { code: 401, message: 'Invalid Credentials' } }]],
    request: {
      method: 'POST',
      path: '/revoke',
      authorization: null,
      type: form,
      body: { token: TOKENS.refresh_token },
    },
    answer: [200, {}],
    gone: [400, { error: 'invalid_token', error_description: 'Token expired or revoked' }],
  };
}

export const REVOCATIONS: readonly RevocationCase[] = [
  {
    ...github,
    origins: ['https://github.com', 'https://api.github.com'],
    check: ['/user', { id: 7, login: 'ana' }, denied],
    request: { ...github.request, path: `/applications/${CLIENT.id}/grant` },
  },
  {
    ...github,
    instanceUrl: 'https://github.corp.example',
    origins: ['https://github.corp.example'],
    check: ['/api/v3/user', { id: 7, login: 'ana' }, denied],
    request: { ...github.request, path: `/api/v3/applications/${CLIENT.id}/grant` },
  },
  gitlab,
  { ...gitlab, instanceUrl: 'https://gitlab.corp.example', origins: ['https://gitlab.corp.example'] },
  {
    name: 'linear',
    origins: ['https://api.linear.app'],
    tokenPath: '/oauth/token',
    check: [
      '/graphql',
      { data: { viewer: { id: '7', email: 'ana@example.com' } } },
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
    request: {
      method: 'POST',
      path: '/oauth/revoke',
      authorization: null,
      type: form,
      body: { token: TOKENS.refresh_token },
    },
    answer: [200, {}],
    gone: [400, { error: 'invalid_request' }],
  },
  {
    name: 'notion',
    origins: ['https://api.notion.com'],
    tokenPath: '/v1/oauth/token',
    check: [
      '/v1/users/me',
      { id: '7', name: 'Ana' },
      [401, { object: 'error', status: 401, code: 'unauthorized', message: 'API token is invalid.' }],
    ],
    request: {
      method: 'POST',
      path: '/v1/oauth/revoke',
      authorization: basic,
      type: json,
      body: { token: TOKENS.access_token },
    },
    answer: [200, { request_id: 'r' }],
  },
  {
    name: 'asana',
    origins: ['https://app.asana.com'],
    tokenPath: '/-/oauth_token',
    check: [
      '/api/1.0/users/me',
      { data: { gid: '7', email: 'ana@example.com' } },
      [401, { errors: [{ message: 'Not Authorized' }] }],
    ],
    request: {
      method: 'POST',
      path: '/-/oauth_revoke',
      authorization: null,
      type: form,
      body: { client_id: CLIENT.id, client_secret: CLIENT.secret, token: TOKENS.refresh_token },
    },
    answer: [200, {}],
  },
  {
    name: 'hubspot',
    origins: ['https://api.hubapi.com'],
    tokenPath: '/oauth/2026-03/token',
    check: [
      '/account-info/2026-03/details',
      { portalId: 7 },
      [401, { status: 'error', message: 'Authentication credentials not found.' }],
    ],
    request: {
      method: 'POST',
      path: '/oauth/2026-03/token/revoke',
      authorization: null,
      type: form,
      body: { client_id: CLIENT.id, client_secret: CLIENT.secret, token: TOKENS.refresh_token },
    },
    answer: [200, {}],
  },
  {
    name: 'todoist',
    origins: ['https://todoist.com', 'https://api.todoist.com'],
    tokenPath: '/oauth/access_token',
    check: [
      '/api/v1/user',
      { id: '7', email: 'ana@example.com' },
      [401, { error: 'Unauthorized', error_code: 401, error_tag: 'UNAUTHORIZED' }],
    ],
    request: {
      method: 'POST',
      path: '/api/v1/revoke',
      authorization: basic,
      type: json,
      body: { token: TOKENS.access_token, token_type_hint: 'access_token' },
    },
    answer: [200, {}],
  },
  {
    name: 'zendesk',
    instanceUrl: 'https://acme.zendesk.com',
    origins: ['https://acme.zendesk.com'],
    tokenPath: '/oauth/tokens',
    check: [
      '/api/v2/users/me',
      { user: { id: 7, email: 'ana@example.com' } },
      [401, { error: 'invalid_token' }],
    ],
    request: {
      method: 'DELETE',
      path: '/api/v2/oauth/tokens/current.json',
      authorization: `Bearer ${TOKENS.access_token}`,
      type: null,
      body: {},
    },
    answer: [204, {}],
    gone: [401, { error: 'invalid_token' }],
  },
  {
    name: 'salesforce',
    origins: ['https://login.salesforce.com', 'https://acme.my.salesforce.com'],
    tokenPath: '/services/oauth2/token',
    check: [
      '/services/oauth2/userinfo',
      { user_id: '0057', preferred_username: 'ana@example.com' },
      [403, { error: 'Bad_OAuth_Token' }],
    ],
    request: {
      method: 'POST',
      path: '/services/oauth2/revoke',
      authorization: null,
      type: form,
      body: { token: TOKENS.refresh_token },
    },
    answer: [200, {}],
    gone: [400, { error: 'invalid_token' }],
  },
  {
    name: 'slack',
    origins: ['https://slack.com'],
    tokenPath: '/api/oauth.v2.access',
    check: [
      '/api/auth.test',
      { ok: true, user_id: 'U7', user: 'ana' },
      [200, { ok: false, error: 'token_revoked' }],
    ],
    request: {
      method: 'POST',
      path: '/api/auth.revoke',
      authorization: `Bearer ${TOKENS.access_token}`,
      type: null,
      body: {},
    },
    answer: [200, { ok: true, revoked: true }],
    gone: [200, { ok: false, error: 'token_revoked' }],
  },
  google('gmail', '/gmail/v1/users/me/profile', { emailAddress: 'ana@example.com' }),
  google('gcalendar', '/calendar/v3/calendars/primary', { id: 'ana@example.com' }),
  google('gdrive', '/drive/v3/about', { user: { permissionId: '7', emailAddress: 'ana@example.com' } }),
  ...['gsheets', 'gdocs', 'gtasks', 'gcontacts'].map((name) =>
    google(name, '/v1/userinfo', { sub: '7', email: 'ana@example.com' }),
  ),
  {
    name: 'dropbox',
    origins: ['https://api.dropboxapi.com'],
    tokenPath: '/oauth2/token',
    check: [
      '/2/users/get_current_account',
      { account_id: 'dbid:7', email: 'ana@example.com' },
      [401, { error_summary: 'invalid_access_token/', error: { '.tag': 'invalid_access_token' } }],
    ],
    request: {
      method: 'POST',
      path: '/2/auth/token/revoke',
      authorization: `Bearer ${TOKENS.access_token}`,
      type: null,
      body: {},
    },
    answer: [200, {}],
    gone: [401, { error_summary: 'invalid_access_token/', error: { '.tag': 'invalid_access_token' } }],
  },
];
