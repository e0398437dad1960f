// Lists every page with its address. A page that few people open first is loaded on demand.
import type { ComponentType } from 'preact';
import { ConnectPage } from './pages/connect/page.tsx';
import { FirstPage, IntegrationsRoute, OverviewRoute } from './pages/first-page.tsx';
import { lazy } from './shell/lazy.tsx';
import { matchPath, type PageProps, type Params } from './router/match.ts';
import { pageTitles } from './texts/page-titles.ts';
import { texts } from './texts/texts.ts';

export interface Route {
  pattern: string;
  /** `ahead` loads what the page is made of. */
  page: ComponentType<PageProps> & { ahead?: () => Promise<void> };
  /** Set for a page that fills the window by itself, without the shell. */
  bare?: boolean;
}

const SettingsPage = lazy<PageProps>(texts.nav.settings, () =>
  import('./pages/settings/page.tsx').then((module) => module.SettingsPage),
);

const routes: readonly Route[] = [
  { pattern: '/', page: FirstPage },
  { pattern: '/overview', page: OverviewRoute },
  { pattern: '/integrations', page: IntegrationsRoute },
  {
    pattern: '/integrations/add',
    page: lazy(texts.integrations.add, () =>
      import('./pages/imports/add-page.tsx').then(({ AddPage }) => AddPage),
    ),
  },
  {
    pattern: '/integrations/:name',
    page: lazy(texts.integration.title, () =>
      import('./pages/integration/page.tsx').then(({ IntegrationPage }) => IntegrationPage),
    ),
  },
  {
    pattern: '/clients',
    page: lazy(texts.clients.title, () =>
      import('./pages/clients/page.tsx').then(({ ClientsPage }) => ClientsPage),
    ),
  },
  {
    pattern: '/tools',
    page: lazy(texts.tools.title, () => import('./pages/tools/page.tsx').then(({ ToolsPage }) => ToolsPage)),
  },
  {
    pattern: '/jots',
    page: lazy(texts.jots.title, () => import('./pages/jots/page.tsx').then(({ JotsPage }) => JotsPage)),
  },
  {
    pattern: '/jots/:name',
    page: lazy(texts.jots.title, () => import('./pages/jots/jot-page.tsx').then(({ JotPage }) => JotPage)),
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
  {
    pattern: '/activity',
    page: lazy(texts.activity.title, () =>
      import('./pages/activity/page.tsx').then(({ ActivityPage }) => ActivityPage),
    ),
  },
  {
    pattern: '/activity/:id',
    page: lazy(texts.activity.title, () => import('./pages/call/page.tsx').then(({ CallPage }) => CallPage)),
  },
  {
    pattern: '/agents',
    page: lazy(texts.nav.agents, () =>
      import('./pages/agents/page.tsx').then(({ AgentsPage }) => AgentsPage),
    ),
  },
  {
    pattern: '/agents/:id',
    page: lazy(texts.nav.agents, () =>
      import('./pages/agents/agent-page.tsx').then(({ AgentPage }) => AgentPage),
    ),
  },
  {
    pattern: '/sets',
    page: lazy(pageTitles.sets, () => import('./pages/sets/page.tsx').then(({ SetsPage }) => SetsPage)),
  },
  {
    pattern: '/sets/:name',
    page: lazy(pageTitles.sets, () => import('./pages/sets/set-page.tsx').then(({ SetPage }) => SetPage)),
  },
  {
    pattern: '/scripts',
    page: lazy(pageTitles.scripts, () =>
      import('./pages/scripts/page.tsx').then(({ ScriptsPage }) => ScriptsPage),
    ),
  },
  {
    pattern: '/scripts/runs/:id',
    page: lazy(pageTitles.scriptRun, () =>
      import('./pages/scripts/run-page.tsx').then(({ RunPage }) => RunPage),
    ),
  },
  {
    pattern: '/scripts/:name',
    page: lazy(pageTitles.scripts, () =>
      import('./pages/scripts/script-page.tsx').then(({ ScriptPage }) => ScriptPage),
    ),
  },
  {
    pattern: '/events',
    page: lazy(pageTitles.events, () =>
      import('./pages/events/page.tsx').then(({ EventsPage }) => EventsPage),
    ),
  },
  {
    pattern: '/events/new',
    page: lazy(pageTitles.events, () =>
      import('./pages/events/new-page.tsx').then(({ NewSubscriptionPage }) => NewSubscriptionPage),
    ),
  },
  {
    pattern: '/events/:id',
    page: lazy(pageTitles.events, () =>
      import('./pages/events/subscription-page.tsx').then(({ SubscriptionPage }) => SubscriptionPage),
    ),
  },
  {
    pattern: '/rules',
    page: lazy(pageTitles.rules, () => import('./pages/rules/page.tsx').then(({ RulesPage }) => RulesPage)),
  },
  {
    pattern: '/people',
    page: lazy(texts.nav.people, () =>
      import('./pages/people/page.tsx').then(({ PeoplePage }) => PeoplePage),
    ),
  },
  {
    pattern: '/people/:id',
    page: lazy(texts.nav.people, () =>
      import('./pages/people/person-page.tsx').then(({ PersonPage }) => PersonPage),
    ),
  },
  {
    pattern: '/machines',
    page: lazy(texts.nav.machines, () =>
      import('./pages/machines/page.tsx').then(({ MachinesPage }) => MachinesPage),
    ),
  },
  {
    pattern: '/products',
    page: lazy(texts.nav.products, () =>
      import('./pages/products/page.tsx').then(({ ProductsPage }) => ProductsPage),
    ),
  },
  {
    pattern: '/products/new',
    page: lazy(texts.nav.products, () =>
      import('./pages/products/new-page.tsx').then(({ NewProductPage }) => NewProductPage),
    ),
  },
  {
    pattern: '/products/:id',
    page: lazy(texts.nav.products, () =>
      import('./pages/products/product-page.tsx').then(({ ProductPage }) => ProductPage),
    ),
  },
  {
    pattern: '/products/:id/actors/:externalId',
    page: lazy(texts.nav.products, () =>
      import('./pages/products/actor-page.tsx').then(({ ActorPage }) => ActorPage),
    ),
  },
  {
    pattern: '/gateway',
    page: lazy(texts.nav.gateway, () =>
      import('./pages/gateway/page.tsx').then(({ GatewayPage }) => GatewayPage),
    ),
  },
  { pattern: '/settings', page: SettingsPage },
  {
    pattern: '/settings/notices',
    page: lazy(pageTitles.notices, () =>
      import('./pages/settings/notices/page.tsx').then(({ NoticesPage }) => NoticesPage),
    ),
  },
  // The address of the settings in version 0.1.
  { pattern: '/account', page: SettingsPage },
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

/** Loads the page at the address before it is rendered. */
export async function loadPage(path: string): Promise<void> {
  await findRoute(path)?.route.page.ahead?.();
}
