// Holds the texts of the gallery and of an integration’s page, and the words for an integration’s state.
import { ofAll, plural } from './plural.ts';

export const integrationsTexts = {
  integrations: {
    title: 'Integrations',
    summary: (connected: number, tools: number) =>
      connected === 0
        ? `Nothing connected yet, ${plural(tools, 'built-in tool')} ready for your agents`
        : `${connected} connected, ${plural(tools, 'tool')} ready for your agents`,
    search: 'Search integrations',
    add: 'Add a service',
    categories: 'Categories',
    connectedOnly: 'Connected only',
    noneConnected: 'Nothing is connected here yet',
    all: 'All',
    sections: {
      attention: 'Needs attention',
      connected: 'Connected',
      available: 'Available',
      builtIn: 'Built in',
      waiting: 'Needs setup',
    },
    waitingNote: 'An administrator sets up their sign-in once. Open one to see how.',
    found: (count: number) => plural(count, 'integration'),
    more: 'More services',
    review: 'Review',
    kinds: { mcp: 'MCP server', openapi: 'OpenAPI' },
    addedFor: { me: 'Added by you', everyone: 'Added for everyone' },
    noneTitle: 'No integrations are installed',
    noneLead: 'The person who runs this gateway chooses which integrations it offers.',
    noMatch: (query: string) => (query === '' ? 'Nothing in this category' : `Nothing matches “${query}”`),
  },

  integration: {
    title: 'Integration',
    back: 'Integrations',
    missingTitle: 'Integration not found',
    missingLead: 'It may have been removed from this gateway.',
    version: (version: string) => `Version ${version}`,
    tools: 'Tools',
    toolCount: (count: number) => plural(count, 'tool'),
    toolRows: {
      title: 'Tools',
      search: 'Search tools',
      found: (count: number, all: number) => ofAll(count, all, 'tool'),
      noMatch: (query: string) => `No tool matches “${query}”`,
    },
    latest: {
      title: 'Latest calls',
      all: 'See all',
      none: 'No calls yet. Try a tool below, or let your agent use one.',
    },
    guide: { title: 'Guide for agents', lead: 'What agents can read before they use the tools.' },
    noTools: 'This integration has no tools.',
    tryIt: 'Try it',
    backToAgent: (name: string) => `${name} is connected. You can go back to your agent.`,
    session: 'Session',
    sessionAbout: (name: string) =>
      `Your ${name} session is a set of cookies. Export it to use it on another gateway, or import one from your browser.`,
    sessionExport: 'Export',
    sessionExportTitle: (name: string) => `Export your ${name} session?`,
    sessionExportEffect: (name: string) =>
      `You get a file of cookies. Anyone who has the file can act as you in ${name}, without a password, until you sign out of ${name}.`,
    sessionExportLeft: 'Protect the file like a password, and delete it once you have imported it.',
    sessionExportDo: 'Download file',
    sessionExported: (file: string) => `${file} is in your downloads.`,
    sessionImport: 'Import',
  },

  states: {
    ready: 'Ready',
    notConnected: 'Not connected',
    waiting: 'Needs setup',
    ok: 'Connected',
    expiring: (days: number) => (days < 1 ? 'Expires today' : `Expires in ${plural(days, 'day')}`),
    unverified: 'Not checked yet',
    reconnect: 'Reconnect',
    unreachable: 'No answer',
    notReached: 'No answer',
  },
  ways: {
    none: 'Built in',
    cookie: 'Web sign-in',
    oauth2: 'OAuth',
    token: 'Token',
    apikey: 'API key',
    open: 'No sign-in',
  },
  access: { read: 'Reads', write: 'Writes', destroy: 'Deletes' },
};
