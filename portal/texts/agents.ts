// Holds the texts of the agents page.
import { ofAll } from './plural.ts';

export const agentsTexts = {
  agents: {
    title: 'Agents',
    lead: 'Who can call your tools: applications that signed in as you, and keys that you made.',
    rules: 'Rules',
    parts: { label: 'Kinds of agents', applications: 'Applications', keys: 'Keys' },
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
    change: 'Change',
    changeOf: (name: string) => `Change what ${name} may do`,
    changeTitle: (name: string) => `What ${name} may do`,
    changeEffect: 'The change holds from its next call. Calls of it that wait for you end.',
    ceiling: {
      read: 'It asked only for reading when it signed in. To do more, it has to sign in again.',
      write: 'It asked only for reading and writing when it signed in. To do more, it has to sign in again.',
    },
    keptRules: (count: number) => `Its ${count === 1 ? 'rule' : 'rules'} of its own stay as they are.`,
    changed: (name: string) => `${name} is limited as you said from now on.`,
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke ${name}?`,
    revokeEffect: (name: string) => `${name} must sign in again before it can call your tools.`,
    revokeLate: 'An access token that it already has keeps working for up to an hour.',
    revoked: (name: string) => `${name} is revoked.`,
  },
};
