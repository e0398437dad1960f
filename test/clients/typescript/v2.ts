// A client on the second generation of the SDK of TypeScript.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ADDRESS, HEADERS, NAMED, walk } from './steps.ts';

const client = new Client(NAMED);
await client.connect(new StreamableHTTPClientTransport(ADDRESS, { requestInit: { headers: HEADERS } }));
await walk('@modelcontextprotocol/client', client);
await client.close();
