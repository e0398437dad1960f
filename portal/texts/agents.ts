// Holds the texts of the agents page.
import { ofAll } from './plural.ts';

export const agentsTexts = {
  agents: {
    title: 'Agents',
    lead: 'The agents and scripts that use your tools.',
    parts: 'What agents may do and use',
    rules: 'Rules',
    sets: 'Sets',
    scripts: 'Scripts',
    events: 'Events',
    search: 'Search agents',
    found: (count: number, all: number) => ofAll(count, all, 'agent'),
    noMatch: (query: string) => `No agent matches “${query}”`,
    unnamed: 'Unnamed agent',
    changeEffect: 'The change applies from its next call. Calls that wait for your approval are cancelled.',
    ceiling: {
      read: 'It asked only to read when it signed in. To do more, it has to sign in again.',
      write: 'It asked only to read and change when it signed in. To do more, it has to sign in again.',
    },
    disconnect: 'Disconnect',
    disconnectOf: (name: string) => `Disconnect ${name}`,
    disconnectTitle: (name: string) => `Disconnect “${name}”?`,
    disconnectEffect: (name: string) => `${name} must sign in again before it can call your tools.`,
    disconnectLate: 'An access token that it already has keeps working for up to an hour.',
    disconnected: (name: string) => `${name} is disconnected.`,
  },
};
