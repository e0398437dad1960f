// Every word the portal says.
export const texts = {
  product: 'Gateway',
  skip: 'Skip to content',
  loading: 'Loading',

  nav: {
    main: 'Main',
    integrations: 'Integrations',
    tools: 'Tools',
    activity: 'Activity',
    agents: 'Agents',
    clients: 'Connect a client',
    clientsShort: 'Clients',
    account: 'Account',
    signOut: 'Sign out',
  },

  theme: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },

  actions: {
    cancel: 'Cancel',
    clear: 'Clear',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
    copyFailed: 'Copying is blocked here. Select the text and copy it by hand.',
    retry: 'Try again',
    showAll: 'Show all',
  },

  failures: {
    newRelease: 'This part of the portal could not be loaded. The gateway may have been updated.',
    offline: 'You are offline. This page loads by itself when the connection is back.',
    offlineBanner: 'You are offline. What you see may be out of date.',
    unanswered: 'The gateway did not answer. It may be restarting.',
    unnamed: (status: number) => `The gateway answered with an error (${status}).`,
    unreachableTitle: 'The gateway is out of reach',
  },

  signIn: {
    title: 'Sign in',
    lead: 'The gateway holds your credentials and lends them, safely, to your agents and scripts.',
    expired: 'Your session has ended. Sign in again to return to where you were.',
    left: 'You are signed out.',
    continueWith: (provider: string) => `Continue with ${provider}`,
    providers: { hosted: 'your web account', idp: 'single sign-on' } as Record<string, string>,
    noneTitle: 'No sign-in provider is set up yet',
    noneLead: 'Sign in with a link instead. There are two ways to one:',
    printedLink: 'Open the portal link that the gateway printed when it started.',
    seedLink: 'Or, where the gateway is installed, make a link for your address:',
    seedCommand: 'npm run seed -- --email you@example.com',
  },

  notFound: {
    title: 'There is nothing here',
    lead: 'The address may be misspelt, or the page may have moved.',
    home: 'Go to integrations',
  },

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
    noMatchLead: 'Try a shorter word, or look at everything.',
  },

  integration: {
    title: 'Integration',
    back: 'Integrations',
    missingTitle: 'There is no such integration',
    missingLead: 'It may have been removed from this gateway.',
    version: (version: string) => `Version ${version}`,
    tools: 'Tools',
    toolCount: (count: number) => plural(count, 'tool'),
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
    notConnected: (name: string) => `Calls to ${name} answer NOT_CONNECTED until you connect it.`,
    waiting: (name: string) =>
      `${name} needs an OAuth client. Ask the person who runs this gateway to set one up.`,
    disconnect: 'Disconnect',
    disconnectTitle: (name: string) => `Disconnect ${name}?`,
    disconnectEffect: (name: string) =>
      `The gateway forgets your ${name} credentials, and calls to its tools fail from now on.`,
    disconnectLeft: (name: string) =>
      `Nothing is revoked at ${name}: it may still list this gateway as an authorized app. Revoke it there too if you want it gone.`,
  },

  states: {
    ready: 'Ready',
    notConnected: 'Not connected',
    waiting: 'Not set up',
  },
  health: { ok: 'Connected', expiring: 'Expires soon', needs_reconnect: 'Lapsed' },

  connect: {
    connect: 'Connect',
    reconnect: 'Reconnect',
    title: (name: string) => `Connect ${name}`,
    connected: (name: string) => `${name} is connected.`,
    optional: 'Optional',
    choose: 'Choose one',
    leaveOut: 'Leave out',
    missing: 'This is required.',
    instance: (name: string) => `Address of your ${name}`,
    instanceDefault: (address: string) => `Leave this empty for ${address}.`,
    instanceKept: 'Leave this empty to keep the address you gave before.',
    keyLead: (name: string) =>
      `The gateway keeps these sealed, and sends them to ${name} only. No agent ever sees them.`,
    oauthLead: (name: string) =>
      `You go to ${name}, allow this gateway in there, and come back here. Your password stays with ${name}.`,
    goOn: (name: string) => `Continue to ${name}`,
    importTitle: (name: string) => `Import a session for ${name}`,
    sessionLead: (name: string) =>
      `${name} knows people by their browser only, and this gateway has no browser of its own to show you its sign-in in. So bring a session along from yours:`,
    sessionSignIn: (name: string) => `Sign in to ${name} in your own browser.`,
    sessionExport:
      'Export that site’s cookies as JSON, for example with the Cookie-Editor extension or Playwright’s storage state.',
    sessionPower: (name: string) =>
      `These cookies are as good as your password until you sign out of ${name} there. The gateway keeps them sealed.`,
    session: 'Session as JSON',
    sessionHelp: 'Only the cookies of this site are kept.',
    sessionNotJson: 'This is not valid JSON.',
    import: 'Import',
  },

  connectLink: {
    title: (name: string) => `Connect ${name}`,
    titleUnknown: 'Connect an integration',
    lead: 'An agent of yours asked for this.',
    explain: (name: string) =>
      `Continue, and you go to ${name} to allow this gateway in. After that your agents can use ${name} as you, through this gateway. The link works once.`,
    explainSession: (name: string) =>
      `${name} is connected with a session from your own browser. After that your agents can use ${name} as you, through this gateway.`,
    unasked: 'You asked no agent for this? Then close this page; nothing happens.',
    goOn: 'Continue',
    importSession: 'Import a session',
    used: {
      title: 'This link has been used',
      lead: 'Each link works once. Ask your agent for a new one, or connect on the integration’s own page.',
    },
    invalid: {
      title: 'This link does not work',
      lead: 'It has expired, or part of it is missing. Ask your agent for a new one, or connect on the integration’s own page.',
    },
    account: {
      title: 'This link is for another account',
      lead: (email: string) =>
        `You are signed in as ${email}, and the link was made for somebody else. If that is you too, sign in with that account.`,
    },
    switchAccount: 'Sign in with another account',
    home: 'Go to integrations',
  },

  agents: {
    title: 'Agents',
    lead: 'Clients that signed in as you and can call your tools.',
    noneTitle: 'No agent has signed in yet',
    noneLead: 'Clients that sign in through the browser appear here. API keys have their own place.',
    noneAction: 'Connect a client',
    unnamed: 'Unnamed client',
    since: 'Since',
    until: 'Access ends',
    scopes: 'Scope',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke ${name}?`,
    revokeEffect: (name: string) => `${name} has to ask you again before it can go on.`,
    revokeLate: 'An access token that it already holds works for up to an hour longer.',
    revoked: (name: string) => `${name} is revoked.`,
  },

  authTypes: { none: 'Built in', cookie: 'Browser sign-in', oauth2: 'OAuth', apikey: 'API key' },
  access: { read: 'Reads', write: 'Writes', destroy: 'Deletes' },

  firstSteps: {
    title: 'Three steps to the first call',
    progress: (done: number) => `${done} of 3 done`,
    complete: 'All three done. Your gateway works.',
    hide: 'Hide these steps',
    done: 'Done',
    open: 'To do',
    key: 'Make an API key',
    keyDone: 'Your API key is ready.',
    keyOpen: 'It lets scripts and agents call the gateway as you.',
    connect: 'Have one integration ready',
    connectDone: (names: string) => `${names} can be used now.`,
    connectBuiltIn: (names: string) => `Built in: ${names}. Connect your own below.`,
    connectOpen: 'Choose one of the integrations below.',
    call: 'Make the first call',
    callDone: (tool: string) => `${tool} was called.`,
    callOpen: 'Paste this into a terminal. Copying puts your key in; the screen never shows it.',
    waiting: 'Waiting for the first call',
    clients: 'Or connect Claude Code, Cursor and others',
  },

  keys: {
    title: 'API key',
    lead: 'For scripts and for clients that send a header. It acts as you, so keep it secret.',
    field: 'Your API key',
    none: 'You have no key yet.',
    mint: 'Make a key',
    reveal: 'Reveal',
    hide: 'Hide',
    rotate: 'Rotate',
    rotateTitle: 'Rotate the API key?',
    rotateEffect: 'You get a new key, and the old one stops working at once.',
    rotateLeft: 'Everything that still sends the old key gets a 401 until you give it the new one.',
    rotateDo: 'Rotate key',
    remove: 'Delete',
    removeTitle: 'Delete the API key?',
    removeEffect: 'Everything that sends this key gets a 401 from now on.',
    removeLeft:
      'Clients that sign in through the browser are not affected. You can make a new key at any time.',
    removeDo: 'Delete key',
    made: 'The new key is ready to copy.',
  },

  clients: {
    title: 'Connect a client',
    lead: 'One address gives any agent every tool that you have connected.',
    address: 'The gateway’s MCP address',
    choose: 'Choose your client',
    needsKey: 'Copied lines carry your API key. Make one first, or put it in place of YOUR_API_KEY.',
    carriesKey: 'The screen shows dots; what you copy carries your API key.',
    firstCall: {
      waiting: 'Waiting for the first tool call',
      waitingLead: 'This lamp turns green when it comes in.',
      arrived: (tool: string) => `It works: ${tool} was just called`,
      last: (tool: string) => `Last call: ${tool}`,
    },
    openIn: (client: string) => `Add to ${client}`,
    claudeCode: {
      name: 'Claude Code',
      run: 'Run this in a terminal',
      ask: 'Ask it: “Which integrations can you use?”',
    },
    cursor: {
      name: 'Cursor',
      open: 'Add it with one click',
      file: 'Or put this into ~/.cursor/mcp.json',
    },
    vsCode: {
      name: 'VS Code',
      open: 'Add it with one click',
      run: 'Or run this in a terminal',
    },
    chatGpt: {
      name: 'ChatGPT',
      developer: 'In ChatGPT, open Settings → Connectors → Advanced and turn on developer mode',
      create: 'Choose Create and paste this address, with OAuth as authentication',
      reach:
        'ChatGPT calls from the internet and signs in through OAuth. This gateway’s address is not https, so ChatGPT cannot reach it.',
    },
    curl: {
      name: 'curl',
      call: 'Call a tool as plain JSON',
      list: 'See what else there is',
    },
  },

  tools: {
    title: 'Tools',
    lead: 'Try any tool exactly as your agent would call it.',
    search: (count: number) => `Search ${plural(count, 'tool')}`,
    list: 'Tools',
    found: (count: number) => plural(count, 'tool'),
    noMatch: (query: string) => `No tool matches “${query}”`,
    none: 'There are no tools on this gateway.',
    chooseTitle: 'Choose a tool',
    chooseLead: 'Its arguments become a form here. Runs count as real calls, and show up in Activity.',
    backToList: 'All tools',
    missing: (name: string) => `There is no tool called “${name}”.`,
    noArguments: 'This tool takes no arguments.',
    required: 'Required',
    optional: 'Optional',
    byDefault: (value: string) => `Default ${value}`,
    leaveOut: 'Leave out',
    leaveOutDefault: (value: string) => `Default (${value})`,
    onePerLine: 'One to a line.',
    asJson: 'As JSON.',
    missingValue: 'This is required.',
    notNumber: 'This must be a number.',
    notInteger: 'This must be a whole number.',
    notJson: 'This is not valid JSON.',
    destroys: 'This tool deletes or changes things for good.',
    run: 'Run',
    running: 'Running',
    stop: 'Stop',
    copyCurl: 'Copy as curl',
    result: 'Result',
    json: 'Answer as JSON',
    resultNone: 'The answer appears here.',
    stopped: 'Stopped. The call may have reached the provider all the same.',
    ran: 'The tool ran.',
    refused: 'The gateway refused the arguments.',
    notConnected: (name: string) => `${name} is not connected.`,
    goConnect: 'Open the integration',
    failedUpstream: 'The tool failed.',
    copyResult: 'Copy result',
    shortened: (shown: string, whole: string) =>
      `Shown: the first ${shown} of ${whole}. Copying takes all of it.`,
    image: 'Image in the result',
  },

  activity: {
    title: 'Activity',
    lead: 'Every tool call made as you, newest first.',
    filters: 'Filters',
    integration: 'Integration',
    anyIntegration: 'All integrations',
    outcome: 'Outcome',
    anyOutcome: 'All outcomes',
    succeeded: 'Succeeded',
    failed: 'Failed',
    refresh: 'Refresh',
    columns: { tool: 'Tool', outcome: 'Outcome', duration: 'Duration', when: 'When' },
    noneTitle: 'No calls yet',
    noneLead: 'They appear here as soon as you, an agent or a script runs a tool.',
    noneAction: 'Try a tool',
    noMatchTitle: 'No call matches these filters',
    noMatchLead: 'Look at all of them instead.',
    more: 'Load more',
    end: 'That is everything.',
  },

  time: { justNow: 'just now' },
};

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
