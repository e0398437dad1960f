// Lists what a visit needs that begins with this page: the part of the portal that has it, and the answers that it
// waits for. The document names the part, so that it comes with the first script. decision: 078
import { matchPath } from './router/match.ts';

interface FirstPage {
  pattern: string;
  /** The module of the page. Absent for a page whose parts come when they are needed. */
  part?: string;
  /**
   * The addresses of its answers, the most important first: a browser sends few requests at once. Each as often as the
   * page asks for it at different times.
   */
  asks: readonly string[];
}

const INTEGRATIONS = '/api/integrations';
const CONNECTIONS = '/api/connections';
const IMPORTS = '/api/imports?tools=blocked';
const NEWEST = '/api/audit?';
const AGENTS = ['/api/agent-keys', '/api/agents'];
/** What the frame around each page asks for. */
const FRAME = ['/api/me', '/api/approvals?state=pending&limit=100'];
const GALLERY = [INTEGRATIONS, CONNECTIONS, IMPORTS, NEWEST];

export const FIRST_PAGES: readonly FirstPage[] = [
  { pattern: '/', part: 'pages/integrations/first-steps.tsx', asks: [...GALLERY, '/api/keys'] },
  { pattern: '/integrations', part: 'pages/integrations/first-steps.tsx', asks: [...GALLERY, '/api/keys'] },
  {
    pattern: '/overview',
    part: 'pages/overview/page.tsx',
    asks: [
      '/api/usage?range=24h&offset=:offset',
      NEWEST,
      INTEGRATIONS,
      CONNECTIONS,
      IMPORTS,
      '/api/usage/agents',
      ...AGENTS,
    ],
  },
  { pattern: '/integrations/add', asks: [INTEGRATIONS, CONNECTIONS] },
  {
    pattern: '/integrations/:name',
    part: 'pages/integration/page.tsx',
    asks: [
      '/api/tools',
      INTEGRATIONS,
      CONNECTIONS,
      IMPORTS,
      '/api/integrations/:name',
      '/api/integrations/:name',
      '/api/audit?integration=:name',
      '/api/policy',
    ],
  },
  { pattern: '/clients', part: 'pages/clients/page.tsx', asks: [] },
  { pattern: '/tools', part: 'pages/tools/page.tsx', asks: ['/api/tools', INTEGRATIONS, CONNECTIONS] },
  { pattern: '/approvals', part: 'pages/approvals/page.tsx', asks: [CONNECTIONS] },
  { pattern: '/approvals/:id', part: 'pages/approvals/one-page.tsx', asks: [] },
  {
    pattern: '/activity',
    part: 'pages/activity/page.tsx',
    asks: [
      '/api/audit?subject=true',
      INTEGRATIONS,
      ...AGENTS,
      '/api/audit/histogram?offset=:offset',
      CONNECTIONS,
    ],
  },
  { pattern: '/activity/:id', part: 'pages/call/page.tsx', asks: [] },
  {
    pattern: '/agents',
    part: 'pages/agents/page.tsx',
    asks: [...AGENTS, '/api/usage/agents', '/api/keys', INTEGRATIONS, CONNECTIONS],
  },
  { pattern: '/agents/:id', part: 'pages/agents/agent-page.tsx', asks: [...AGENTS, INTEGRATIONS] },
  { pattern: '/jots', part: 'pages/jots/page.tsx', asks: ['/api/jots'] },
  { pattern: '/settings', part: 'pages/settings/page.tsx', asks: [] },
];

/** Lists the addresses of what the page asks for first, and before them who is signed in. */
export function firstRequests(path: string, search: string): string[] {
  const me = '/api/auth/me';
  // Choices in the address change what a page asks for.
  if (search !== '') return [me, ...FRAME];
  for (const { pattern, asks } of FIRST_PAGES) {
    const params = matchPath(pattern, path);
    if (params !== null) return [me, ...asks.map((address) => filled(address, params)), ...FRAME];
  }
  return [me, ...FRAME];
}

function filled(address: string, params: Readonly<Record<string, string>>): string {
  return address
    .replace(':name', encodeURIComponent(params['name'] ?? ''))
    .replace(':offset', String(-new Date().getTimezoneOffset()));
}
