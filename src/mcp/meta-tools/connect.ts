// connect, and get_auth_url, its deprecated alias with the same handler. spec: Meta-tools
import * as z from 'zod';
import { type Tool, tool } from '../../integration.ts';
import type { MetaNeeds } from './context.ts';

export function connectTools({ registry, config }: Pick<MetaNeeds, 'registry' | 'config'>): Tool[] {
  const shape = { integration: z.string().describe('Name from list_integrations') };

  function connect({ integration: name }: { integration: string }) {
    const integration = registry.integration(name);
    if (integration === null) return { error: 'Integration not found' };
    if (integration.authType === 'none') {
      return {
        error: `${integration.displayName} is built in and needs no connect: its tools run as they are`,
      };
    }
    return {
      error: `${integration.displayName} cannot be connected by an agent. Ask the person to connect it at ${config.PORTAL_URL}.`,
    };
  }

  return [
    tool(
      'connect',
      'Start connecting an integration. Answers {connectionId, type, url}: show the url to the person, who opens it and signs in, then call wait_for_connection.',
      shape,
      connect,
      'write',
    ),
    tool(
      'get_auth_url',
      'Deprecated: use connect. The same arguments, the same answer.',
      shape,
      connect,
      'write',
    ),
  ];
}
