// The tokens that people make at providers, each with a fake provider that takes the token in one place only. The
// places are those of the providers' documentation. docs/integrations.md names the pages.

export interface TokenCase {
  name: string;
  /** What the person types into the form. */
  values: Record<string, string>;
  /** A tool with one request, other than the check. */
  tool: string;
  args: object;
  /** The name of the account, where it is not Ana's. */
  label?: string;
  provider: FakeProvider;
}

export interface Refused {
  what: string;
  status: number;
}

export interface FakeProvider {
  origin: string;
  /** 401 unless the token is in its place and nowhere else, at the address of the API. */
  answer(request: Request): Promise<Response>;
  /** A request that is accepted. */
  example(): Request;
}

export const SECRET = 'the-token-of-ana';
const EMAIL = 'ana@example.com';

interface Place {
  /** The address below which the API takes the token. */
  base: string;
  header: string;
  value: string;
  /** The path of the check, and what it answers. */
  check: readonly [path: string, answer: unknown];
  /** The path of the tool's request, and what it answers. */
  call: readonly [path: string, answer: unknown];
}

function createProvider({ base, header, value, check, call }: Place): FakeProvider {
  const encoded = Buffer.from(`${EMAIL}:${SECRET}`).toString('base64');
  return {
    origin: new URL(base).origin,
    example: () => new Request(`${base}${check[0]}`, { headers: { [header]: value } }),
    async answer(request) {
      const { url, headers } = request;
      const others = [...headers].filter(([name]) => name !== header);
      const rest = JSON.stringify([url, others, await request.text()]);
      const isRight = headers.get(header) === value && !rest.includes(SECRET) && !rest.includes(encoded);
      if (!isRight) return Response.json({ message: 'this token is not valid here' }, { status: 401 });
      const found = [check, call].find(([path]) => url.split('?')[0] === `${base}${path}`);
      return found === undefined
        ? Response.json({ message: `nothing at ${url}` }, { status: 401 })
        : Response.json(found[1]);
    },
  };
}

const basic = `Basic ${Buffer.from(`${EMAIL}:${SECRET}`).toString('base64')}`;
const bearer = { header: 'authorization', value: `Bearer ${SECRET}` } as const;

const token = (
  name: string,
  values: Record<string, string>,
  [tool, args]: readonly [string, object],
  place: Place,
): TokenCase => ({ name, values, tool, args, provider: createProvider(place) });

export const TOKENS: readonly TokenCase[] = [
  token('github', { token: SECRET }, ['github_list_notifications', {}], {
    base: 'https://api.github.com',
    ...bearer,
    check: ['/user', { id: 7, login: 'ana' }],
    call: ['/notifications', []],
  }),
  token(
    'github',
    { token: SECRET, instanceUrl: 'https://github.corp.example' },
    ['github_list_notifications', {}],
    {
      base: 'https://github.corp.example/api/v3',
      ...bearer,
      check: ['/user', { id: 7, login: 'ana' }],
      call: ['/notifications', []],
    },
  ),
  token('gitlab', { token: SECRET }, ['gitlab_list_projects', {}], {
    base: 'https://gitlab.com/api/v4',
    header: 'private-token',
    value: SECRET,
    check: ['/user', { id: 7, username: 'ana' }],
    call: ['/projects', []],
  }),
  token(
    'gitlab',
    { token: SECRET, instanceUrl: 'https://gitlab.corp.example' },
    ['gitlab_list_projects', {}],
    {
      base: 'https://gitlab.corp.example/api/v4',
      header: 'private-token',
      value: SECRET,
      check: ['/user', { id: 7, username: 'ana' }],
      call: ['/projects', []],
    },
  ),
  token('bitbucket', { email: EMAIL, token: SECRET }, ['bitbucket_list_workspaces', {}], {
    base: 'https://api.bitbucket.org/2.0',
    header: 'authorization',
    value: basic,
    check: ['/user', { uuid: '{7}', display_name: 'Ana' }],
    call: ['/user/workspaces', { values: [] }],
  }),
  token(
    'jira',
    { email: EMAIL, token: SECRET, instanceUrl: 'https://acme.atlassian.net' },
    ['jira_list_projects', {}],
    {
      base: 'https://acme.atlassian.net',
      header: 'authorization',
      value: basic,
      check: ['/rest/api/3/myself', { accountId: '7', displayName: 'Ana' }],
      call: ['/rest/api/3/project/search', { values: [] }],
    },
  ),
  token(
    'confluence',
    { email: EMAIL, token: SECRET, instanceUrl: 'https://acme.atlassian.net' },
    ['confluence_list_spaces', {}],
    {
      base: 'https://acme.atlassian.net',
      header: 'authorization',
      value: basic,
      check: ['/wiki/rest/api/user/current', { accountId: '7', displayName: 'Ana' }],
      call: ['/wiki/api/v2/spaces', { results: [] }],
    },
  ),
  token('linear', { apiKey: SECRET }, ['linear_list_teams', {}], {
    base: 'https://api.linear.app',
    header: 'authorization',
    value: SECRET,
    check: ['/graphql', { data: { viewer: { id: '7', email: EMAIL }, teams: { nodes: [] } } }],
    call: ['/graphql', {}],
  }),
  token('notion', { token: SECRET }, ['notion_list_users', {}], {
    base: 'https://api.notion.com',
    ...bearer,
    check: ['/v1/users/me', { id: '7', name: 'Ana' }],
    call: ['/v1/users', { results: [] }],
  }),
  token('figma', { token: SECRET }, ['figma_list_team_projects', { teamId: '5' }], {
    base: 'https://api.figma.com',
    header: 'x-figma-token',
    value: SECRET,
    check: ['/v1/me', { id: '7', email: EMAIL }],
    call: ['/v1/teams/5/projects', { projects: [] }],
  }),
  token('asana', { token: SECRET }, ['asana_list_projects', { workspace: '5' }], {
    base: 'https://app.asana.com/api/1.0',
    ...bearer,
    check: ['/users/me', { data: { gid: '7', email: EMAIL } }],
    call: ['/projects', { data: [] }],
  }),
  token('airtable', { token: SECRET }, ['airtable_list_bases', {}], {
    base: 'https://api.airtable.com/v0/meta',
    ...bearer,
    check: ['/whoami', { id: '7', email: EMAIL }],
    call: ['/bases', { bases: [] }],
  }),
  token('todoist', { token: SECRET }, ['todoist_list_projects', {}], {
    base: 'https://api.todoist.com/api/v1',
    ...bearer,
    check: ['/user', { id: '7', email: EMAIL }],
    call: ['/projects', { results: [] }],
  }),
  token('clickup', { token: SECRET }, ['clickup_list_workspaces', {}], {
    base: 'https://api.clickup.com/api/v2',
    header: 'authorization',
    value: SECRET,
    check: ['/user', { user: { id: 7, email: EMAIL } }],
    call: ['/team', { teams: [] }],
  }),
  token('monday', { token: SECRET }, ['monday_list_boards', {}], {
    base: 'https://api.monday.com',
    header: 'authorization',
    value: SECRET,
    check: ['/v2', { data: { me: { id: '7', email: EMAIL } } }],
    call: ['/v2', {}],
  }),
  {
    ...token('hubspot', { token: SECRET }, ['hubspot_list_owners', {}], {
      base: 'https://api.hubapi.com',
      ...bearer,
      check: ['/account-info/2026-03/details', { portalId: 7 }],
      call: ['/crm/owners/2026-03', { results: [] }],
    }),
    label: '7',
  },
  token(
    'zendesk',
    { email: EMAIL, token: SECRET, instanceUrl: 'https://acme.zendesk.com' },
    ['zendesk_list_groups', {}],
    {
      base: 'https://acme.zendesk.com/api/v2',
      header: 'authorization',
      value: `Basic ${Buffer.from(`${EMAIL}/token:${SECRET}`).toString('base64')}`,
      check: ['/users/me', { user: { id: 7, email: EMAIL } }],
      call: ['/groups', { groups: [] }],
    },
  ),
  token('slack', { token: SECRET }, ['slack_list_channels', {}], {
    base: 'https://slack.com/api',
    ...bearer,
    check: ['/auth.test', { ok: true, user_id: 'U7', user: 'ana' }],
    call: ['/conversations.list', { ok: true, channels: [] }],
  }),
];

type Change = (right: Request, token: TokenCase) => Request;

function withHeaders(request: Request, headers: Record<string, string>): Request {
  const plain = [...request.headers].filter(([name]) => !/authorization|token/.test(name));
  return new Request(request.url, { headers: { ...Object.fromEntries(plain), ...headers } });
}

/** Each moves or repeats the token in a way that no provider here takes. */
export const WRONG_PLACES: readonly [what: string, change: Change][] = [
  ['no token', (right) => withHeaders(right, {})],
  ['a token in the address', (right) => new Request(`${right.url}?access_token=${SECRET}`, right)],
  ['another scheme', (right) => withHeaders(right, { authorization: `token ${SECRET}` })],
  ['another header', (right) => withHeaders(right, { 'x-api-key': SECRET })],
  [
    'a second header',
    (right) => new Request(right.url, { headers: [...right.headers, ['x-api-key', SECRET]] }),
  ],
  ['another address', (right) => new Request(right.url.replace(/^(https:\/\/)/, '$1elsewhere.'), right)],
];
