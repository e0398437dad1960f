// Holds the texts of the connect dialogs, and of the pages that an agent’s connect link opens.
export const connectTexts = {
  connect: {
    connect: 'Connect',
    replace: { oauth2: 'Reconnect', token: 'Replace token', apikey: 'Replace key', cookie: 'Reconnect' },
    title: (name: string) => `Connect ${name}`,
    replaceTitle: {
      oauth2: (name: string) => `Reconnect ${name}`,
      token: (name: string) => `Replace the token of ${name}`,
      apikey: (name: string) => `Replace the key of ${name}`,
      cookie: (name: string) => `Reconnect ${name}`,
    },
    signedInAs: (account: string, more = 0) =>
      `Signed in as ${account}${more === 0 ? '' : `, and ${more} more`}`,
    tokenInstead: 'Use a token instead',
    signInInstead: (name: string) => `Sign in with ${name} instead`,
    token: {
      make: (name: string) => `Make a token at ${name}`,
      open: (name: string) => `Open ${name}`,
      scopes: 'Permissions it needs:',
      paste: 'Paste it here',
    },
    connected: (name: string) => `${name} is connected.`,
    optional: 'Optional',
    choose: 'Choose one',
    byDefault: (value: string) => `Default (${value})`,
    missing: 'This is required.',
    instance: (name: string) => `Address of your ${name}`,
    instanceDefault: (address: string) => `Leave empty to use ${address}.`,
    instanceKept: 'Leave empty to keep the current address.',
    keyLead: (name: string, secrets: number) =>
      `Encrypted on this gateway and sent only to ${name}. Agents never see ${secrets > 1 ? 'them' : 'it'}.`,
    oauthLead: (name: string) =>
      `${name} will ask you to approve this gateway, then bring you back. Your password stays with ${name}.`,
    goOn: (name: string) => `Continue to ${name}`,
    importTitle: (name: string) => `Import a session for ${name}`,
    sessionLead: (name: string) => `The gateway uses a browser session for ${name}. To import yours:`,
    sessionSignIn: (name: string) => `Sign in to ${name} in your own browser.`,
    sessionExport:
      'Export the cookies of that site as JSON, for example with the Cookie-Editor extension or as Playwright storage state.',
    sessionPower: (name: string) =>
      `Treat these cookies like your password: they work until you sign out of ${name} in that browser. The gateway encrypts them.`,
    session: 'Session as JSON',
    sessionHelp: 'The gateway keeps only the cookies of this site.',
    sessionNotJson: 'Paste valid JSON.',
    import: 'Import',
  },

  connectLink: {
    title: (name: string) => `Connect ${name}`,
    titleUnknown: 'Connect an integration',
    lead: 'Your agent asked for this.',
    explain: (name: string) =>
      `${name} will ask you to approve this gateway, then bring you back. After that, agents can act as you in ${name}. The link works once.`,
    explainBrowser: (name: string) =>
      `You sign in to ${name} in a private browser on this gateway. After that, agents can act as you in ${name}. The link works once.`,
    unasked:
      'Only continue if you asked an agent for this. If you did not, close this page: nothing changes.',
    goOn: 'Continue',
    done: {
      title: (name: string) => `${name} is connected`,
      lead: (name: string) => `All set. Agents can act as you in ${name}.`,
      open: (name: string) => `Go to ${name}`,
    },
    used: {
      title: 'This link has been used',
      lead: 'Each link works once. Ask your agent for a new link, or connect on the integration’s page.',
    },
    invalid: {
      title: 'This link does not work',
      lead: 'It has expired, or part of it is missing. Ask your agent for a new link, or connect on the integration’s page.',
    },
    account: {
      title: 'This link is for another account',
      lead: (email: string) =>
        `You are signed in as ${email}, but the link was made for another account. If that account is yours too, sign in with it.`,
    },
    switchAccount: 'Sign in with another account',
    home: 'Go to integrations',
  },
};
