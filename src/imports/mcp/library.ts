// Loads the official MCP client at its first use, and makes clients that promise a server nothing but to show its pages.
import type * as Library from '@modelcontextprotocol/client';
import { APP_TYPE, APPS_EXTENSION } from '../../kit/tool-app.ts';
import { VERSION } from '../../ports/version.ts';
import type * as sdk from './sdk.ts';

export type McpLibrary = typeof sdk;

let loading: Promise<McpLibrary> | undefined;

export const loadLibrary = (): Promise<McpLibrary> => (loading ??= import('./sdk.ts'));

const GATEWAY = { name: 'tool-gateway', version: VERSION };

/** The gateway does not fail a call because its result differs from the promised schema. */
const acceptsAll: Library.jsonSchemaValidator = {
  // The type of the value is the caller's claim, as it is in the validators of the library.
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/**
 * Servers ask for no input, no model and no folders, and are refused when they do. Some offer their pages only to a client
 * that says it takes them.
 */
const CAPABILITIES = { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_TYPE] } } };

export function createClient({ Client }: McpLibrary, probeMs?: number): Library.Client {
  const probe = probeMs === undefined ? {} : { timeoutMs: probeMs };
  return new Client(GATEWAY, {
    capabilities: CAPABILITIES,
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: acceptsAll,
    versionNegotiation: { mode: 'auto', probe },
  });
}
