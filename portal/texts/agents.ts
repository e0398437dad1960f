// The clients that signed in.
import { ofAll } from './plural.ts';

export const agentsTexts = {
  agents: {
    title: 'Agents',
    lead: 'Clients that signed in as you and can call your tools.',
    search: 'Search agents',
    found: (count: number, all: number) => ofAll(count, all, 'agent'),
    noMatch: (query: string) => `No agent matches “${query}”`,
    noneTitle: 'No agent has signed in yet',
    noneLead: 'Clients that sign in through the browser appear here; those with an API key do not.',
    noneAction: 'Connect a client',
    unnamed: 'Unnamed client',
    since: 'Signed in',
    until: 'Unless it is used, access ends',
    scopes: 'Scope',
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke ${name}?`,
    revokeEffect: (name: string) => `${name} has to ask you again before it can go on.`,
    revokeLate: 'An access token that it already holds works for up to an hour longer.',
    revoked: (name: string) => `${name} is revoked.`,
  },
};
