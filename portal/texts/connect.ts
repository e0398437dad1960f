// The dialogs that connect, and the links of agents.
export const connectTexts = {
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
      `${name} knows people by their browser only. Without a sign-in on this gateway, bring a session along from your own browser:`,
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
    explainBrowser: (name: string) =>
      `Continue, and you sign in to ${name} in a private browser on this gateway. After that your agents can use ${name} as you, through this gateway. The link works once.`,
    unasked: 'You asked no agent for this? Then close this page; nothing happens.',
    goOn: 'Continue',
    done: {
      title: (name: string) => `${name} is connected`,
      lead: (name: string) => `This link has done its work: your agents can use ${name} as you.`,
      open: (name: string) => `Go to ${name}`,
    },
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
};
