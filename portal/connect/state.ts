// Combines an integration with the person's connection, and tells what the person can do with it.
import type { Connection, Health, Integration } from '../api/types.ts';

export interface WithState extends Integration {
  connected: boolean;
  health: Health;
}

export function withState(
  integrations: readonly Integration[],
  connections: readonly Connection[],
): WithState[] {
  const byName = new Map(connections.map((connection) => [connection.name, connection]));
  return integrations.map((integration) => {
    const connection = byName.get(integration.name);
    return {
      ...integration,
      connected: connection?.connected ?? false,
      health: connection?.health ?? 'ok',
    };
  });
}

export function isUsable({ connected, health }: WithState): boolean {
  return connected && health !== 'needs_reconnect';
}

/** Tells whether the gateway stores credentials of this person, working or not. */
export function isKnown({ authType, connected, health }: WithState): boolean {
  return authType !== 'none' && (connected || health !== 'ok');
}

export function isConnectable({ authType, configured, connected, health }: WithState): boolean {
  return authType !== 'none' && configured && (!connected || health !== 'ok');
}
