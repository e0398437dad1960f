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
    categories: 'Categories',
    all: 'All',
    sections: {
      attention: 'Needs attention',
      connected: 'Connected',
      available: 'Available',
      builtIn: 'Built in',
      waiting: 'Needs setup',
    },
    waitingNote: 'The person who runs this gateway must add an OAuth client for these.',
    found: (count: number) => plural(count, 'integration'),
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
    noTools: 'This integration has no tools.',
    tryIt: 'Try it',
    connection: 'Connection',
    meanings: {
      ok: (name: string) => `Agents can act as you in ${name}.`,
      expiring: (name: string) => `Agents can act as you in ${name}, but the sign-in expires soon.`,
      needs_reconnect: (name: string) =>
        `${name} no longer accepts your credentials. Calls fail until you reconnect.`,
    },
    builtIn: 'Built in: always ready, nothing to connect.',
    notConnected: (name: string) => `Agents can’t use ${name} until you connect it.`,
    waiting: (name: string, prefix: string) =>
      `${name} needs an OAuth client. Ask the person who runs this gateway to register one at ${name} and set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET.`,
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
    disconnect: 'Disconnect',
    disconnected: (name: string) => `${name} is disconnected.`,
    disconnectTitle: (name: string) => `Disconnect ${name}?`,
    disconnectEffect: (name: string) =>
      `The gateway deletes your ${name} credentials. Calls to its tools fail until you connect again.`,
    disconnectLeft: {
      none: () => '',
      oauth2: (name: string) =>
        `Nothing is revoked at ${name}: it may still list this gateway as an authorized app. To end that too, revoke it at ${name}.`,
      apikey: (name: string) =>
        `Nothing is revoked at ${name}: the key you entered still works. To end that too, delete the key at ${name}.`,
      cookie: (name: string) =>
        `Nothing is revoked at ${name}: the session still works for anyone who has its cookies. To end that too, sign out at ${name}.`,
    },
  },

  states: {
    ready: 'Ready',
    notConnected: 'Not connected',
    waiting: 'Needs setup',
  },
  health: { ok: 'Connected', expiring: 'Expires soon', needs_reconnect: 'Reconnect' },
  authTypes: { none: 'Built in', cookie: 'Web sign-in', oauth2: 'OAuth', apikey: 'API key' },
  access: { read: 'Reads', write: 'Writes', destroy: 'Deletes' },
};
