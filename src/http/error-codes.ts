// Declares the error codes and the fixed error texts that clients match on.

/** The gateway's own error codes. */
export const ErrorCode = {
  ACCESS_ENDED: 'ACCESS_ENDED',
  ACCOUNT_MISMATCH: 'ACCOUNT_MISMATCH',
  AMBIGUOUS_ACCOUNT: 'AMBIGUOUS_ACCOUNT',
  APPROVAL_REQUIRED: 'APPROVAL_REQUIRED',
  AUTH_REQUIRED: 'AUTH_REQUIRED',
  BAD_COMMANDS: 'BAD_COMMANDS',
  BAD_SESSION_KEY: 'BAD_SESSION_KEY',
  BLOCKED: 'BLOCKED',
  BROWSER_SESSION_BUSY: 'BROWSER_SESSION_BUSY',
  BROWSER_START_FAILED: 'BROWSER_START_FAILED',
  DENIED: 'DENIED',
  IN_PROGRESS: 'IN_PROGRESS',
  KEY_REUSED: 'KEY_REUSED',
  LINK_CONSUMED: 'LINK_CONSUMED',
  LINK_INVALID: 'LINK_INVALID',
  NOT_CONNECTED: 'NOT_CONNECTED',
  PAUSED: 'PAUSED',
  RESULT_GONE: 'RESULT_GONE',
  TOO_MANY_CALLS: 'TOO_MANY_CALLS',
  UNKNOWN_ACCOUNT: 'UNKNOWN_ACCOUNT',
  UNKNOWN_OUTCOME: 'UNKNOWN_OUTCOME',
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Error texts without a code of their own. Clients match on them, so they never change. */
export const ErrorText = {
  INTEGRATION_NOT_FOUND: 'Integration not found',
  INTERNAL_ERROR: 'Internal error',
  INVALID_ARGUMENTS: 'Invalid arguments',
  TOOL_NOT_FOUND: 'Tool not found',
  UNAUTHORIZED: 'Unauthorized',
} as const;

/** JSON-RPC 2.0 error codes, those of MCP included. The live view numbers refused commands the same way. */
export const JsonRpcCode = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  FORBIDDEN: -32000,
  UNAUTHORIZED: -32001,
  /** Those of the sketch of MCP Events. */
  EVENTS_NOT_FOUND: -32011,
  EVENTS_FORBIDDEN: -32012,
  EVENTS_UNSUPPORTED: -32014,
  HEADER_MISMATCH: -32020,
  MISSING_CAPABILITY: -32021,
  UNSUPPORTED_VERSION: -32022,
} as const;
export type JsonRpcCode = (typeof JsonRpcCode)[keyof typeof JsonRpcCode];

/** The errors of the OAuth server. RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2 */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';
