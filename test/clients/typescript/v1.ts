// A client on the first generation of the SDK of TypeScript.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ADDRESS, HEADERS, NAMED, walk } from './steps.ts';

const client = new Client(NAMED);
await client.connect(new StreamableHTTPClientTransport(ADDRESS, { requestInit: { headers: HEADERS } }));
await walk('@modelcontextprotocol/sdk', client);
await client.close();
