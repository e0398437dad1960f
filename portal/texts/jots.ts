// Holds the texts of the jots page.
import { ofAll, plural } from './plural.ts';

export const jotsTexts = {
  jots: {
    title: 'Jots',
    lead: 'Pages and small sites that your agents have published here.',
    search: 'Search jots',
    found: (count: number, all: number) => ofAll(count, all, 'jot'),
    noMatch: (query: string) => `No jot matches “${query}”`,
    noneTitle: 'Nothing is published yet',
    noneLead: 'A jot is a page or a small site with its own address on this gateway. Ask any agent for one:',
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
      public: 'Anyone who has the link can open it.',
      password: 'The link asks for a password before it shows anything.',
    },
    accessLoss: 'This removes the password.',
    password: 'Password',
    passwordNew: 'Choose one that you can share with the link.',
    passwordKept:
      'Leave empty to keep the current password. A new password locks everyone out until you share it.',
    corsLabel: 'Allow scripts, styles and images',
    corsHelp:
      'Browsers block the jot’s own scripts, styles and images unless this is on. When it is on, other sites can read the jot’s files too.',
    corsLocked: 'A jot with a password can’t use this.',
    save: 'Save',
    saved: (name: string) => `Settings of ${name} are saved.`,
    undone: (name: string) => `Settings of ${name} are restored.`,
    remove: 'Delete',
    removeOf: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete ${name}?`,
    removeEffect: 'This deletes its files. Its link stops working.',
    removeLeft: 'This can’t be undone. An agent can publish it again at the same address.',
    removed: (name: string) => `${name} is deleted.`,
  },
};
