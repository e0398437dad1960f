// Lists every page with its address. A page that few people open first is loaded on demand.
import type { ComponentType } from 'preact';
import { ActivityPage } from './pages/activity/page.tsx';
import { ClientsPage } from './pages/clients/page.tsx';
import { ConnectPage } from './pages/connect/page.tsx';
import { IntegrationPage } from './pages/integration/page.tsx';
import { IntegrationsPage } from './pages/integrations/page.tsx';
import { lazy } from './shell/lazy.tsx';
import { matchPath, type PageProps, type Params } from './router/match.ts';
import { rulesTexts } from './texts/rules.ts';
import { texts } from './texts/texts.ts';

export interface Route {
  pattern: string;
  page: ComponentType<PageProps>;
  /** Set for a page that fills the window by itself, without the shell. */
  bare?: boolean;
}

const routes: readonly Route[] = [
  { pattern: '/', page: IntegrationsPage },
  {
    pattern: '/integrations/add',
    page: lazy(texts.integrations.add, () =>
      import('./pages/imports/add-page.tsx').then(({ AddPage }) => AddPage),
    ),
  },
  { pattern: '/integrations/:name', page: IntegrationPage },
  { pattern: '/clients', page: ClientsPage },
  {
    pattern: '/tools',
    page: lazy(texts.tools.title, () => import('./pages/tools/page.tsx').then(({ ToolsPage }) => ToolsPage)),
  },
  {
    pattern: '/jots',
    page: lazy(texts.jots.title, () => import('./pages/jots/page.tsx').then(({ JotsPage }) => JotsPage)),
  },
  {
    pattern: '/approvals',
    page: lazy(texts.nav.approvals, () =>
      import('./pages/approvals/page.tsx').then(({ ApprovalsPage }) => ApprovalsPage),
    ),
  },
  {
    pattern: '/approvals/:id',
    page: lazy(texts.nav.approvals, () =>
      import('./pages/approvals/one-page.tsx').then(({ ApprovalPage }) => ApprovalPage),
    ),
  },
  { pattern: '/activity', page: ActivityPage },
  {
    pattern: '/agents',
    page: lazy(texts.nav.agents, () =>
      import('./pages/agents/page.tsx').then(({ AgentsPage }) => AgentsPage),
    ),
  },
  {
    pattern: '/rules',
    page: lazy(rulesTexts.title, () => import('./pages/rules/page.tsx').then(({ RulesPage }) => RulesPage)),
  },
  { pattern: '/connect', page: ConnectPage },
  {
    pattern: '/browser',
    page: lazy(texts.live.browser.title, () =>
      import('./pages/browser/page.tsx').then(({ BrowserPage }) => BrowserPage),
    ),
    bare: true,
  },
  {
    pattern: '/live/:integration',
    page: lazy(texts.live.page, () => import('./pages/live/page.tsx').then(({ LivePage }) => LivePage)),
    bare: true,
  },
];

export function findRoute(path: string): { route: Route; params: Params } | null {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params !== null) return { route, params };
  }
  return null;
}
