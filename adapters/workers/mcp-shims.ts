// Stands for what the MCP client brings for each runtime. Its own for Workers has a second copy of the JSON Schema validator, and
// builds every schema of the protocol when it is loaded; the gateway's clients use neither.
export const CORS_IS_POSSIBLE = false;

/** Clients without a validator of their own would make this one. Ours all have one: `src/imports/mcp/library.ts`. */
export function DefaultJsonSchemaValidator(): never {
  throw new TypeError('A client was made without a validator');
}
