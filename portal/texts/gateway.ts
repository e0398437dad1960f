// Holds the texts of the page about the whole gateway.
import { plural } from './plural.ts';

export const gatewayTexts = {
  lead: 'What everyone on this gateway shares: rules, services, sign-ins and registered clients.',
  everyone: 'For everyone',
  links: {
    people: { name: 'People', about: 'Invite people, change their roles, end their access.' },
    rules: { name: 'Rules for everyone', about: 'The most that agents may do, whatever people allow.' },
    activity: { name: 'Activity of everybody', about: 'Every tool call of all people, newest first.' },
    add: { name: 'Add a service', about: 'An MCP server or an OpenAPI service, for you or for everyone.' },
  },
  imports: 'Services added for everyone',
  noImports: 'Nobody has added a service for everyone.',
  clients: 'Sign-ins of integrations',
  clientsLead: 'The OAuth clients with which this gateway is registered at providers.',
  noClients: 'No integration has one yet. To set one up, open the integration.',
  source: { portal: 'Set in the portal', environment: 'Set by environment variables' },
  unreadable: 'The stored client can’t be decrypted any more. Enter it again.',
  removeClient: 'Remove',
  removeClientOf: (name: string) => `Remove the sign-in of ${name}`,
  clientRemoved: (name: string) => `The sign-in of ${name} is removed.`,
  agents: 'Registered clients',
  agentsLead: 'The MCP clients that people have approved.',
  noAgents: 'No client has signed in yet.',
  unnamed: 'A client without a name',
  people: (count: number) => plural(count, 'person uses it', 'people use it'),
  registered: 'Registered',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  removeAgent: 'Remove',
  removeAgentOf: (name: string) => `Remove ${name}`,
  removeAgentTitle: (name: string) => `Remove ${name}?`,
  removeAgentEffect: (people: number) =>
    people === 0
      ? 'Nobody uses it. It has to register again before anyone can sign in with it.'
      : `It is signed out for ${plural(people, 'person', 'people')}, and has to register again.`,
  removeAgentLate: 'An access token that it already has keeps working for up to an hour.',
  agentRemoved: (name: string) => `${name} is removed.`,
  more: 'Load more',
};
