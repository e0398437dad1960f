// Holds the texts of the agents page.
import { ofAll } from './plural.ts';

export const agentsTexts = {
  agents: {
    title: 'Agents',
    lead: 'Clients that signed in as you and can call your tools.',
    search: 'Search agents',
    found: (count: number, all: number) => ofAll(count, all, 'agent'),
    noMatch: (query: string) => `No agent matches “${query}”`,
    noneTitle: 'No agent has signed in yet',
    noneLead: 'Clients that sign in through the browser appear here. Clients that use your API key do not.',
    noneAction: 'Connect a client',
    unnamed: 'Unnamed client',
    since: 'Signed in',
    expires: 'Expires',
    ifUnused: 'if unused',
    scopes: 'Scope',
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke ${name}?`,
    revokeEffect: (name: string) => `${name} must sign in again before it can call your tools.`,
    revokeLate: 'An access token that it already has keeps working for up to an hour.',
    revoked: (name: string) => `${name} is revoked.`,
  },
};
