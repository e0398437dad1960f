// Holds the texts about one connection: how it does, how to test it and how to end it.
import { plural } from './plural.ts';

const none = () => '';

export const connectionTexts = {
  connection: {
    title: 'Connection',
    builtIn: 'Built in: always ready, nothing to connect.',
    open: (name: string) => `${name} needs no sign-in, so there is nothing to connect.`,
    notConnected: (name: string) => `Agents can’t use ${name} until you connect it.`,
    waiting: (name: string) => `${name} needs setup before anyone can connect it.`,
    signedInAs: 'Signed in as',
    by: { oauth2: '', token: ' with a token', apikey: ' with a key', cookie: ' in a browser' },
    credential: { oauth2: 'sign-in', token: 'token', apikey: 'key', cookie: 'session' },
    meanings: {
      ok: (name: string) => `Agents can act as you in ${name}.`,
      expiring: (name: string, days: number) =>
        days < 1
          ? `Agents can act as you in ${name} until the sign-in expires today. Reconnect to keep it.`
          : `Agents can act as you in ${name}. The sign-in expires in ${plural(days, 'day')}. Reconnect to keep it.`,
      unverified: (name: string) =>
        `Agents can act as you in ${name}. Not tested yet: the first call shows whether it works.`,
      unreachable: (name: string) =>
        `${name} is not responding. There is nothing to do: calls work again as soon as it responds.`,
      reconnect: (name: string, credential: string) =>
        `${name} no longer accepts your ${credential}. Calls fail until you replace it.`,
    },
    since: { ok: '', unverified: 'Added', unreachable: 'First noticed', reconnect: 'Stopped' },
    checked: 'Checked',
    connected: 'Connected',
    lastCall: 'Last call',

    scopes: {
      granted: (count: number) => `${plural(count, 'permission')} granted`,
      missing: (name: string, count: number) =>
        `${name} has not granted ${plural(count, 'permission')} that some tools need. Reconnect to grant:`,
    },

    test: 'Test',
    answered: (name: string, time: string) => `${name} answered in ${time}.`,
    accepted: 'It accepted the credential.',
    tested: {
      ok: (name: string) => `It works. ${name} accepted the credential.`,
      unverified: (name: string) => `Not tested yet: ${name} has no check.`,
      unreachable: (name: string) => `${name} is not responding. Try again in a moment.`,
      reconnect: (name: string) => `${name} rejected the credential.`,
    },

    disconnect: 'Disconnect',
    disconnectAll: 'Disconnect all',
    disconnectTitle: (name: string) => `Disconnect ${name}?`,
    siblings: (names: string) => `This also ends ${names}, because one sign-in serves them all.`,
    disconnectEffect: (name: string) =>
      `The gateway deletes your ${name} credentials. Calls to its tools fail until you connect again.`,
    disconnectLeft: {
      oauth2: (name: string) => `Where ${name} allows it, the gateway also revokes its access there.`,
      token: (name: string) => `The token itself works until you delete it at ${name}. You get the link.`,
      apikey: (name: string) => `The key you entered still works until you delete it at ${name}.`,
      cookie: (name: string) =>
        `The session itself still works for anyone who has its cookies, until you sign out at ${name}.`,
    },
    ended: {
      here: (name: string) => `${name} is disconnected.`,
      done: (name: string) => `${name} is disconnected, and the access is revoked at ${name}.`,
      pending: (name: string) =>
        `${name} is disconnected here. ${name} has not confirmed that the access is revoked, so the gateway tries again.`,
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
    optional: (name: string) => `Let people sign in with ${name} instead of making a token.`,
    needed: (name: string) =>
      `Register this gateway at ${name} once, and everyone can sign in. It takes about five minutes.`,
    begin: 'Set up',
    sheet: (name: string) => `Set up the sign-in with ${name}`,
    familyTitle: (provider: string, count: number) =>
      `${provider}: one client for ${plural(count, 'integration')}`,
    familyFor: 'This client is for',
    forFamily: (provider: string, count: number) => `All ${count} of ${provider}`,
    forOne: (name: string) => `${name} only`,
    ofFamily: (provider: string) => `Set in the portal for all of ${provider}`,
    familySaved: (provider: string, names: string) =>
      `Saved. People can now sign in with ${provider}: ${names}.`,
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
    unreadable: 'The stored client can’t be decrypted any more, because its key is gone. Enter it again.',
    change: 'Change',
    remove: 'Remove',
    removed: (name: string) => `Removed. Nobody can sign in with ${name} until it is set up again.`,
    removeTitle: (name: string) => `Remove the sign-in with ${name}?`,
    removeEffect: (name: string) =>
      `Nobody can connect ${name} by signing in. Connections work until their access has to be renewed.`,
  },
};
