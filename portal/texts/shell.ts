// Holds the texts around every page, and the texts that any page may show.
export const shellTexts = {
  product: 'Gateway',
  skip: 'Skip to content',
  loading: 'Loading',
  newTab: 'opens in a new tab',

  nav: {
    main: 'Main',
    overview: 'Overview',
    integrations: 'Integrations',
    tools: 'Tools',
    approvals: 'Approvals',
    activity: 'Activity',
    agents: 'Agents',
    jots: 'Jots',
    clients: 'Connect an agent',
    administration: 'Administration',
    people: 'People',
    machines: 'Machines',
    products: 'Products',
    gateway: 'This gateway',
    settings: 'Settings',
    account: 'Account',
    signOut: 'Sign out',
    attention: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} attention`,
    waiting: (count: number) => `${count} ${count === 1 ? 'waits' : 'wait'} for you`,
    many: '99+',
  },
  /** Calls that wait for the person's approval. */
  asking: {
    callers: {
      session: 'You',
      key: 'Your personal key',
      namedKey: (name: string) => name,
      unnamedKey: 'An unnamed key',
      unnamedClient: 'An unnamed agent',
    },
    title: (tool: string) => `Approve ${tool}?`,
    askedBy: (caller: string) => `${caller} asks`,
    one: (caller: string, tool: string) => `${caller} asks to run ${tool}.`,
    several: (count: number) => `${count} calls wait for your approval.`,
    look: 'Look',
  },
  theme: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },

  actions: {
    cancel: 'Cancel',
    clear: 'Clear',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
    copyFailed: 'Your browser blocks copying here. Select the text and copy it yourself.',
    less: 'Less',
    more: 'More',
    reload: 'Reload',
    retry: 'Try again',
    showAll: 'Show all',
    undo: 'Undo',
  },

  failures: {
    newRelease:
      'This part of the portal could not be loaded. The gateway may have been updated. Reload the portal.',
    loadsByItself: 'This page loads by itself when the connection is back.',
    offline: 'You are offline.',
    offlineBanner: 'You are offline. What you see may be out of date.',
    reconnecting: 'The gateway does not answer. Reconnecting…',
    retrying: 'Trying again automatically.',
    slow: 'The gateway is slow to respond. Still trying.',
    unanswered: 'The gateway did not answer. It may be restarting.',
    unnamed: (status: number) => `The gateway answered with an error (${status}).`,
    unreachableTitle: 'Can’t reach the gateway',
  },

  noMatchLead: 'Try a shorter word, or show everything.',

  notFound: {
    title: 'Page not found',
    lead: 'The address may be misspelt, or the page may have moved.',
    home: 'Go to integrations',
  },
  time: { justNow: 'just now' },
};
