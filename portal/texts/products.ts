// Holds the texts of the pages about products: their service keys, actors and links.
import { plural } from './plural.ts';
import { shellTexts } from './shell.ts';

const key = 'service key';

export const productsTexts = {
  title: shellTexts.nav.products,
  lead: 'Your own products, which connect the accounts of their users. Each call names one user, an actor.',
  add: 'New product',
  none: 'No product has a service key yet',
  noneLead: 'With one, the back end of your product connects its users’ accounts and calls tools for them.',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  actorsOf: (count: number, most: number) => `${count.toLocaleString('en')} of ${plural(most, 'actor')}`,
  calls: (count: number) => `${plural(count, 'call')} in 30 days`,
  allCalls: (count: number) => `${plural(count, 'call')} in the 400 days that are counted`,
  states: { active: 'Active', revoked: 'Revoked' },
  made: 'Made',
  revoked: (name: string) => `The service key of ${name} does not work any more.`,
  deleted: (name: string) => `${name} is deleted.`,
  left: (count: number) =>
    `${plural(count, 'actor')} of deleted products ${count === 1 ? 'is' : 'are'} being erased.`,
  erasing: (name: string) => `${name} is deleted. Its actors are being erased.`,

  form: {
    title: 'New product',
    lead: 'The gateway makes a service key for it.',
    name: 'Name',
    nameHelp: 'Its users see it when they connect an account.',
    nameMissing: 'Enter a name.',
    returnTo: 'Return addresses',
    returnToHelp:
      'Where the browser may go back to after connecting, one a line. Agents’ links take the first.',
    returnToMissing: 'Enter an address, such as https://acme.example/connected.',
    access: 'What agents may do for its users',
    accesses: {
      read: { name: 'Only read', about: 'Tools that change or delete are blocked.' },
      write: { name: 'Read and change', about: 'Tools that delete are blocked.' },
      destroy: { name: 'Read, change and delete', about: 'Everything that the rules for everyone allow.' },
    },
    integrations: 'What its users may connect',
    all: 'What is built in',
    allAbout: 'Every integration that they can connect for themselves.',
    some: 'Only some',
    someAbout: 'You choose which. Imports and files must be chosen.',
    noneChosen: 'Choose at least one integration.',
    rate: 'Rate limit',
    rateHelp: 'Of all its actors together. Leave empty for no limit.',
    maxActors: 'Actors at most',
    maxActorsHelp: 'Leave empty for as many as the gateway allows.',
    maxActorsKept: 'Leave empty to keep it as it is.',
    countWrong: 'Enter a whole number from 1 to 1,000,000, or leave this empty.',
    rules: (count: number) =>
      `${plural(count, 'rule')} of its own ${count === 1 ? 'stays' : 'stay'} as before.`,
    face: 'How its pages look',
    mark: 'Mark',
    markHelp: 'A square PNG, JPEG or WebP picture of at most 48 kB.',
    markWrong: 'Choose a PNG, JPEG or WebP picture of at most 48 kB.',
    removeMark: 'Remove the mark',
    coloured: 'Colours of its own',
    light: 'On light pages',
    dark: 'On dark pages',
    preview: 'Preview',
    previewTitle: (name: string) => `Connect GitHub to ${name}`,
    previewButton: 'Connect GitHub',
    unnamed: 'your product',
    notifyTo: 'Address for events',
    notifyToHelp: 'Hears that an account was connected, has to be connected again, or that a link ended.',
    urlWrong: 'Enter an address that begins with https://.',
    submit: 'Make product',
    save: 'Save',
    saved: 'Saved.',
  },

  key: {
    title: (name: string) => `The ${key} of ${name}`,
    once: 'Copy it now. It is shown only once.',
    label: 'Service key',
    secret: 'Secret of events',
    secretOnce: 'Check the signatures of events with this secret. It is shown only once.',
    start: 'Begin with it',
    startLead: 'Keep the key on your server. Whoever has it acts for all users of the product.',
    ways: { curl: 'Shell', client: 'JavaScript' },
    way: 'Language',
    lines: (way: string) => `First lines for ${way}`,
    hidden: 'The screen hides the key. The copied text contains it.',
    done: 'Done',
  },

  one: {
    missingTitle: 'Product not found',
    missingLead: 'It was deleted, or the address is wrong.',
    goBack: 'All products',
    facts: 'What is known of the product',
    parts: { label: 'Parts of the product', actors: 'Actors', links: 'Connect links', settings: 'Settings' },
    calls: 'Calls',
    draw: 'New key',
    drawTitle: 'Make a new service key?',
    drawEffect: 'The former key stops at once, and so does everything that calls with it.',
    drawRevoked: 'The product reaches its actors again with the new key.',
    revoke: 'Revoke key',
    revokeTitle: (name: string) => `Revoke the service key of ${name}?`,
    revokeEffect: 'It stops at once, and with it all that calls for the actors.',
    revokeKeeps: (count: number) =>
      `${plural(count, 'actor')} and what they have connected stay, until you make a new key or erase them.`,
    revokeDeletes: 'The product has no actors, so it is deleted.',
    erase: 'Erase product',
    eraseTitle: (name: string) => `Erase ${name} and its actors?`,
    eraseEffect: (count: number) =>
      `The key stops at once. ${plural(count, 'actor')}, their connections and what is stored of them are erased. It cannot be undone.`,
  },

  actors: {
    title: 'Actors',
    none: 'The product has no actors yet',
    noneLead: 'Its back end makes one for a user with POST /api/actors.',
    search: 'Search by a part of an id',
    noMatch: (query: string) => `No actor’s id contains “${query}”`,
    found: (count: number, isMore: boolean) =>
      isMore ? `The first ${plural(count, 'actor')} found` : `${plural(count, 'actor')} found`,
    connections: (count: number) => (count === 0 ? 'Nothing connected' : plural(count, 'account')),
    shown: (count: number, all: number) =>
      count >= all
        ? plural(count, 'actor')
        : `First ${count.toLocaleString('en')} of ${plural(all, 'actor')}`,
    more: 'Load more',
  },

  actor: {
    title: 'Actor',
    of: (name: string, id?: string) => `An actor of ${name}${id === undefined ? '' : ` · ${id}`}`,
    missingTitle: 'Actor not found',
    missingLead: 'The product has no actor with this id.',
    connections: 'Connections',
    noConnections: 'This actor has connected nothing yet.',
    connectedAt: 'Connected',
    usage: 'Calls in the last 30 days',
    noCalls: 'No call for this actor is counted yet.',
    calls: (count: number, failed: number) =>
      failed === 0
        ? plural(count, 'call')
        : `${plural(count, 'call')}, ${failed.toLocaleString('en')} failed`,
    erase: 'Erase actor',
    eraseTitle: (id: string) => `Erase ${id}?`,
    eraseEffect:
      'Its access ends at once. Its connections are revoked at their providers, and what is stored of it is erased. It cannot be undone.',
    erased: (id: string) => `${id} is being erased.`,
  },

  links: {
    title: 'Connect links',
    lead: 'Links that actors connect an account with. They are kept for seven days after their end, and never shown.',
    none: 'No connect link was made lately.',
    states: { open: 'Not opened yet', opened: 'Opened', connected: 'Connected', expired: 'Expired' },
    gone: 'An actor that is gone',
    to: (integration: string) => `Connects ${integration}`,
    made: 'Made',
    ended: 'Ended',
    more: 'Load more',
  },

  events: {
    title: 'Events',
    on: 'Events of the product are sent to an address, signed.',
    off: 'Events of the product are sent nowhere.',
    add: 'Send events there',
    change: 'Change address',
    remove: 'Stop sending',
    removeTitle: 'Send no more events?',
    removeEffect: 'What waits to be sent is dropped.',
    removed: 'No more events are sent.',
  },
};
