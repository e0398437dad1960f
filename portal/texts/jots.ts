// Pages that agents publish.
import { ofAll, plural } from './plural.ts';

export const jotsTexts = {
  jots: {
    title: 'Jots',
    lead: 'Pages and small sites that your agents have published here.',
    search: 'Search jots',
    found: (count: number, all: number) => ofAll(count, all, 'jot'),
    noMatch: (query: string) => `No jot matches “${query}”`,
    noneTitle: 'Nothing is published yet',
    noneLead: 'A jot is a page or a small site under an address of this gateway. Ask any agent for one:',
    nonePrompt: 'Make a one-page report of what you found, and publish it as a jot.',
    noneAction: 'Connect a client',
    copyLink: 'Copy link',
    access: { public: 'Anyone with the link', password: 'Link and password' },
    cors: 'Readable by other sites',
    files: (count: number) => plural(count, 'file'),
    updated: 'Updated',
    settings: 'Settings',
    settingsOf: (name: string) => `Settings of ${name}`,
    settingsTitle: (name: string) => `Who can see ${name}`,
    accessLabel: 'Access',
    accessHelp: {
      public: 'Everybody who has the address can open it.',
      password: 'The address asks for a password before it shows anything.',
    },
    accessLoss: 'The password is forgotten. To lock it again you set a new one.',
    password: 'Password',
    passwordNew: 'Choose one that you can pass on with the link.',
    passwordKept:
      'Leave this empty to keep the present one. A new one locks everybody out until they have it.',
    corsLabel: 'Let it load its own files',
    corsHelp:
      'Browsers keep a jot from loading scripts, styles and images of its own unless this is on. Other sites can read its files then, too.',
    corsLocked: 'Only a jot without a password can do this.',
    save: 'Save',
    saved: (name: string) => `Settings of ${name} are saved.`,
    undone: (name: string) => `${name} is as it was.`,
    remove: 'Delete',
    removeOf: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete ${name}?`,
    removeEffect: 'Its address shows nothing from now on, and its files are gone.',
    removeLeft: 'This cannot be undone here. An agent can publish it again, under the same address.',
    removed: (name: string) => `${name} is deleted.`,
  },
};
