// The gallery, one integration, and the words for how each stands.
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
      waiting: 'Waiting on administrator',
    },
    waitingNote: 'These need an OAuth client that only the person who runs the gateway can add.',
    found: (count: number) => plural(count, 'integration'),
    noneTitle: 'No integrations are installed',
    noneLead: 'The person who runs this gateway decides which ones it offers.',
    noMatch: (query: string) => (query === '' ? 'Nothing in this category' : `Nothing matches “${query}”`),
  },

  integration: {
    title: 'Integration',
    back: 'Integrations',
    missingTitle: 'There is no such integration',
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
      ok: (name: string) => `Your agents can use ${name} as you.`,
      expiring: (name: string) => `Your agents can use ${name} as you, but the sign-in ends soon.`,
      needs_reconnect: (name: string) =>
        `${name} no longer accepts the credentials kept here. Calls fail until you connect again.`,
    },
    builtIn: 'Built in: always ready, nothing to connect.',
    notConnected: (name: string) => `Your agents cannot use ${name} until you connect it.`,
    waiting: (name: string, prefix: string) =>
      `${name} needs an OAuth client. Ask the person who runs this gateway to register one there and set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET.`,
    session: 'Session',
    sessionAbout: (name: string) =>
      `Your ${name} sign-in is a set of cookies. Take it to another gateway as a file, or bring one along from your browser.`,
    sessionExport: 'Export',
    sessionExportTitle: (name: string) => `Export your ${name} session?`,
    sessionExportEffect: (name: string) =>
      `You get a file of cookies. Whoever has it is you on ${name}, without a password, until you sign out there.`,
    sessionExportLeft: 'Keep it as you would keep a password, and delete it when it is where it should be.',
    sessionExportDo: 'Download file',
    sessionExported: (file: string) => `${file} is in your downloads.`,
    sessionImport: 'Import',
    disconnect: 'Disconnect',
    disconnected: (name: string) => `${name} is disconnected.`,
    disconnectTitle: (name: string) => `Disconnect ${name}?`,
    disconnectEffect: (name: string) =>
      `The gateway forgets your ${name} credentials, and calls to its tools fail from now on.`,
    disconnectLeft: {
      none: () => '',
      oauth2: (name: string) =>
        `Nothing is revoked at ${name}: it may still list this gateway as an authorized app. Revoke it there too if you want it gone.`,
      apikey: (name: string) =>
        `Nothing is revoked at ${name}: what you gave still works there. Delete it there too if you want it gone.`,
      cookie: (name: string) =>
        `Nothing is revoked at ${name}: the sign-in still works for whoever has its cookies. Sign out there too if you want it gone.`,
    },
  },

  states: {
    ready: 'Ready',
    notConnected: 'Not connected',
    waiting: 'Not set up',
  },
  health: { ok: 'Connected', expiring: 'Expires soon', needs_reconnect: 'Lapsed' },
  authTypes: { none: 'Built in', cookie: 'Web sign-in', oauth2: 'OAuth', apikey: 'API key' },
  access: { read: 'Reads', write: 'Writes', destroy: 'Deletes' },
};
