// Is loaded at the first use of an MCP server: the official client, which needs zod as well.
export * from '@modelcontextprotocol/client';
// A bundler calls zod's code late because of the client, and forgets that other modules need it at the start, unless it sees
// here that this entry of zod is loaded late too. Without this line the Worker does not start.
export { unknown } from 'zod';
