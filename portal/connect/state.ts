// Combines an integration with the person's connection, and tells what the person can do with it.
import type { ImportedTool, ImportEntry } from '../api/imports.ts';
import type { AuthType, Connection, Health, Integration, Status } from '../api/integrations.ts';

export interface WithState extends Integration, Omit<Connection, 'name' | 'health' | 'status'> {
  health: Health;
  /** Absent without stored credentials. */
  status?: Status;
  /** Set for an integration that somebody has added. */
  imported?: ImportEntry;
}

export function withState(
  integrations: readonly Integration[],
  connections: readonly Connection[],
  imports: readonly ImportEntry[] = [],
): WithState[] {
  const importOf = new Map(imports.map((entry) => [entry.name, { imported: entry }]));
  const byName = new Map(connections.map((connection) => [connection.name, connection]));
  return integrations.map((integration) => ({
    ...integration,
    connected: false,
    ...byName.get(integration.name),
    ...importOf.get(integration.name),
    health: byName.get(integration.name)?.health ?? 'ok',
  }));
}

/** Tells whether the gateway itself serves it, so that there is nothing to connect or to check. */
export function isBuiltIn({ authType, imported }: WithState): boolean {
  return authType === 'none' && imported === undefined;
}

/** Tells whether somebody has to look at what the source says about the tool now. */
export function waits({ included, state }: ImportedTool): boolean {
  return included && state !== 'granted';
}

/** Tells whether changed definitions of its source wait for a decision. */
export function hasReview({ imported }: WithState): boolean {
  return imported?.tools.some(waits) === true;
}

/** Tells whether the source of an import could not be asked and has never shown a tool. */
export const hasNothing = ({ checkError, tools }: ImportEntry): boolean =>
  checkError !== null && tools.length === 0;

/** One account that works is enough. */
export function isUsable({ accounts, connected, status }: WithState): boolean {
  return (
    connected && (status !== 'reconnect' || accounts?.some((each) => each.status !== 'reconnect') === true)
  );
}

/** Tells whether the gateway stores credentials of this person, working or not. */
export function isKnown({ authType, status }: WithState): boolean {
  return authType !== 'none' && status !== undefined;
}

/** The gateway has no way to test some keys, and says so when they are connected. */
export const canTest = (integration: WithState): boolean => isKnown(integration) && !isUntested(integration);

export const isUntested = ({ status, cause, checkedAt }: WithState): boolean =>
  status === 'unverified' && cause !== undefined && checkedAt === undefined;

/** The usual way to connect, as far as it is open to this person. */
export function usualWay({ authType, configured, takesToken }: WithState): AuthType | 'token' {
  return !configured && takesToken === true ? 'token' : authType;
}

/** Tells whether the person can connect it by any way. */
export function hasWay({ authType, configured, takesToken }: WithState): boolean {
  return authType !== 'none' && (configured || takesToken === true);
}

/** Tells whether the person has to do something, so that agents can go on. */
export function needsPerson({ status, health }: WithState): boolean {
  return status === 'reconnect' || (status !== undefined && health === 'expiring');
}

/** Tells whether connecting is the next step. */
export function isConnectable(integration: WithState): boolean {
  return hasWay(integration) && (!integration.connected || needsPerson(integration));
}
