// Tells which clients show MCP Apps, and what they are told that others are not: the card of the gateway. SEP-1865
import { APP_TYPE, APPS_EXTENSION } from '../kit/tool-app.ts';
import { CARD_URI } from './card/names.ts';
import { capabilitiesIn, extensionIn } from './client-capabilities.ts';

/**
 * Requests of the older era do not repeat what the client said when it began. There is no session that could remember it, so
 * this id, which the client sends with each request, says it. It is no secret, and nothing hangs on it but the card.
 */
export const APPS_SESSION = 'shows-apps';
export const SESSION_HEADER = 'Mcp-Session-Id';

/** Whether the capabilities of a client say that it shows pages of our type. */
export function takesApps(capabilities: unknown): boolean {
  const types = extensionIn(capabilities, APPS_EXTENSION)?.['mimeTypes'];
  return Array.isArray(types) && types.includes(APP_TYPE);
}

/** What a request of the newer era says of its client. */
export const takesAppsNow = (params: Record<string, unknown>): boolean => takesApps(capabilitiesIn(params));

/** What a server that offers pages says of itself. */
export const APPS_CAPABILITIES = { resources: {}, extensions: { [APPS_EXTENSION]: {} } };

const WITH_CARD = new Set(['connect', 'execute_tools', 'wait_for_connection']);

/** The member of a listed tool that names its page. */
export const cardOf = ({ name }: { name: string }): { _meta?: Record<string, unknown> } =>
  WITH_CARD.has(name) ? { _meta: { ui: { resourceUri: CARD_URI } } } : {};

export const ONLY_FOR_CARD = { _meta: { ui: { resourceUri: CARD_URI, visibility: ['app'] } } };
