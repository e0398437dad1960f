// Holds the texts of the agents page.
import { ofAll } from './plural.ts';

export const agentsTexts = {
  agents: {
    title: 'Agents',
    lead: 'Everything that can call your tools: clients that signed in as you, and keys that you made.',
    rules: 'Rules',
    sets: 'Sets',
    scripts: 'Scripts',
    parts: {
      label: 'Kinds of agents',
      applications: 'Clients',
      keys: 'Keys',
      counted: (part: string, count: number | undefined) =>
        count === undefined ? part : `${part} (${count})`,
    },
    search: 'Search agents',
    found: (count: number, all: number) => ofAll(count, all, 'agent'),
    noMatch: (query: string) => `No agent matches “${query}”`,
    noneTitle: 'No agent has signed in yet',
    noneLead: 'Clients that sign in through the browser appear here. Clients that use a key do not.',
    noneAction: 'Connect a client',
    unnamed: 'Unnamed client',
    since: 'Signed in',
    lastUsed: 'Last used',
    expires: 'Expires',
    ifUnused: 'if unused',
    scopes: 'Scope',
    change: 'Change limits',
    changeOf: (name: string) => `Change limits of ${name}`,
    changeTitle: (name: string) => `What ${name} may do`,
    changeEffect: 'The change applies from its next call. Calls that wait for your approval are cancelled.',
    ceiling: {
      read: 'It asked only to read when it signed in. To do more, it has to sign in again.',
      write: 'It asked only to read and write when it signed in. To do more, it has to sign in again.',
    },
    changed: (name: string) => `The new limits of ${name} apply now.`,
    disconnect: 'Disconnect',
    disconnectOf: (name: string) => `Disconnect ${name}`,
    disconnectTitle: (name: string) => `Disconnect “${name}”?`,
    disconnectEffect: (name: string) => `${name} must sign in again before it can call your tools.`,
    disconnectLate: 'An access token that it already has keeps working for up to an hour.',
    disconnected: (name: string) => `${name} is disconnected.`,
  },
};
