// Holds the texts about one connection: how it does, how to test it and how to end it.
const none = () => '';

export const connectionTexts = {
  connection: {
    title: 'Connection',
    builtIn: 'Built in: always ready, nothing to connect.',
    open: (name: string) => `${name} asks nobody to sign in: there is nothing to connect.`,
    notConnected: (name: string) => `Agents can’t use ${name} until you connect it.`,
    waiting: (name: string) => `Nobody can sign in with ${name} yet, because its sign-in is not set up.`,
    signedInAs: 'Signed in as',
    by: { oauth2: '', token: ' with a token', apikey: ' with a key', cookie: ' in a browser' },
    credential: { oauth2: 'sign-in', token: 'token', apikey: 'key', cookie: 'session' },
    meanings: {
      ok: (name: string) => `Agents can act as you in ${name}.`,
      expiring: (name: string) => `Agents can act as you in ${name}, but the sign-in expires soon.`,
      unverified: (name: string) => `Agents can use ${name}, but nobody has checked yet whether it works.`,
      unreachable: (name: string) =>
        `${name} did not answer. You need to do nothing: calls work again once it does.`,
      reconnect: (name: string, credential: string) =>
        `${name} no longer accepts your ${credential}. Calls fail until you replace it.`,
    },
    since: { ok: '', unverified: 'Added', unreachable: 'First noticed', reconnect: 'Stopped' },
    checked: 'Checked',

    test: 'Test',
    tested: {
      ok: (name: string) => `It works: ${name} accepts it.`,
      unverified: (name: string) => `${name} cannot be asked. The first call will show whether it works.`,
      unreachable: (name: string) => `${name} did not answer. Try again in a moment.`,
      reconnect: (name: string) => `${name} does not accept it.`,
    },

    disconnect: 'Disconnect',
    disconnectAll: 'Disconnect all',
    disconnectTitle: (name: string) => `Disconnect ${name}?`,
    siblings: (names: string) => `This also ends ${names}, because one sign-in serves them all.`,
    disconnectEffect: (name: string) =>
      `The gateway deletes your ${name} credentials. Calls to its tools fail until you connect again.`,
    disconnectLeft: {
      oauth2: (name: string) => `Where ${name} allows it, the gateway also ends its access there.`,
      token: (name: string) => `The token itself works until you delete it at ${name}. You get the link.`,
      apikey: (name: string) => `The key you entered still works until you delete it at ${name}.`,
      cookie: (name: string) =>
        `The session itself still works for anyone who has its cookies, until you sign out at ${name}.`,
    },
    ended: {
      here: (name: string) => `${name} is disconnected.`,
      done: (name: string) => `${name} is disconnected, and ${name} has ended the access.`,
      pending: (name: string) =>
        `${name} is disconnected here. It has not confirmed the end of the access yet, so the gateway asks again.`,
      left: {
        oauth2: (name: string) => `${name} may still list this gateway until you remove it there.`,
        token: (name: string) => `The token works until you delete it at ${name}.`,
        apikey: (name: string) => `The key works until you delete it at ${name}.`,
        cookie: none,
      },
    },
    removeAt: (name: string) => `Remove it at ${name}`,
  },

  setup: {
    title: 'Set up sign-in',
    askTitle: 'Ask your administrator',
    ask: (name: string) =>
      `An administrator of this gateway has to set up the sign-in with ${name} once. After that, everyone can connect.`,
    optional: (name: string) => `Let people sign in with ${name}, so that nobody has to make a token.`,
    needed: (name: string) =>
      `${name} wants to know this gateway before anyone can sign in. It takes five minutes.`,
    begin: 'Set up',
    open: (name: string) => `Open ${name}`,
    register: (name: string) => `Register this gateway at ${name}`,
    registerAs: 'It is often called an OAuth app or OAuth client.',
    redirect: 'Enter this redirect address',
    scopes: 'Ask for these scopes',
    enter: (name: string) => `Enter what ${name} gives you`,
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    keepSecret: 'Leave empty to keep the current secret.',
    sealed: 'The gateway encrypts the secret and never shows it again.',
    instance: 'Address',
    instanceHelp: 'Leave empty to remove it.',
    addInstance: (name: string) => `Add a ${name} of your own`,
    save: 'Save',
    saved: (name: string) => `Saved. People can now sign in with ${name}.`,
    portal: 'Set in the portal',
    environment: 'Set by environment variables',
    environmentLead: (variable: string) =>
      `The gateway reads it from ${variable} and its neighbours. Change it there.`,
    unreadable: 'The stored client can no longer be opened, because its key is gone. Enter it again.',
    change: 'Change',
    remove: 'Remove',
    removed: (name: string) => `Removed. Nobody can sign in with ${name} until it is set up again.`,
    removeTitle: (name: string) => `Remove the sign-in with ${name}?`,
    removeEffect: (name: string) =>
      `Nobody can connect ${name} by signing in. Connections work until their access has to be renewed.`,
  },
};
