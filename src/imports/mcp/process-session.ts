// Speaks with a server of the operator over its standard input and output. decision: 107
import type { LocalServers } from '../../ports/local-servers.ts';
import type { CallScope } from './call-scope.ts';
import { McpFailure } from './client.ts';
import type { Session, SessionEvents } from './session.ts';

export async function openProcessSession(
  localServers: LocalServers | null,
  scope: CallScope,
  _events: SessionEvents,
): Promise<Session> {
  if (localServers === null)
    throw new McpFailure(`${scope.host} cannot be started: this gateway runs no local servers`);
  throw new McpFailure('not yet');
}
