// Is loaded at the first use of an MCP server: what is used of the official client. A bundler drops the rest.
export {
  Client,
  extractWWWAuthenticateParams,
  parseJSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
// A bundler calls zod's code late because of the client, and forgets that other modules need it at the start, unless it sees
// here that this entry of zod is loaded late too. Without this line the Worker does not start.
export { unknown } from 'zod';
