// Speaks HTTP+SSE, the transport of 2024: one stream of answers, and a request for each message. decision: 107
import type { CallScope } from './call-scope.ts';
import { McpFailure } from './client.ts';
import type { Session, SessionEvents } from './session.ts';

export async function openSseSession(scope: CallScope, _events: SessionEvents): Promise<Session> {
  throw new McpFailure(`${scope.host} speaks HTTP+SSE`);
}
