// Loads the official MCP client at its first use, and makes clients that promise a server nothing.
import type * as Library from '@modelcontextprotocol/client';
import { VERSION } from '../../ports/version.ts';

export type McpLibrary = typeof Library;

let loading: Promise<McpLibrary> | undefined;

export const loadLibrary = (): Promise<McpLibrary> => (loading ??= import('./sdk.ts'));

const GATEWAY = { name: 'tool-gateway', version: VERSION };

/** The gateway does not fail a call because its result differs from the promised schema. */
const acceptsAll: Library.jsonSchemaValidator = {
  // The type of the value is the caller's claim, as it is in the validators of the library.
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** No capabilities: servers ask for no input, no model and no folders, and are refused when they do. */
export function createClient({ Client }: McpLibrary, probeMs?: number): Library.Client {
  const probe = probeMs === undefined ? {} : { timeoutMs: probeMs };
  return new Client(GATEWAY, {
    capabilities: {},
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: acceptsAll,
    versionNegotiation: { mode: 'auto', probe },
  });
}
