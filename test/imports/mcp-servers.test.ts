// Lists and calls the tools of real MCP servers over sockets and pipes.
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Reached } from '../../src/imports/mcp/client.ts';
import { createMcpClients } from '../../src/imports/mcp/clients.ts';
import { closeAll, open as openEgress } from '../support/egress-door.ts';
import { MCP_SERVERS, type Recorded, type StartedServer } from '../support/mcp-servers.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await closeAll();
});

function openClients({ address, processes }: StartedServer) {
  const { egress } = openEgress({ loopback: true });
  const clients = createMcpClients({
    clock: createSystemClock(setImmediate),
    log: { write() {} },
    localServers: processes,
  });
  closing.push(() => clients.close());
  const reached: Reached = {
    address,
    key: 'import person ',
    send: (url, init) => egress.fetch(url, init),
    values: async () => ({}),
  };
  return { clients, reached };
}

describe.each(MCP_SERVERS)('$name', ({ start, transport, era, echo }) => {
  it('is listed and called', async () => {
    const server = await start();
    closing.push(() => server.close());
    const { clients, reached } = openClients(server);

    const listed = await clients.list(reached);
    expect(listed).toMatchObject({ transport, era, warnings: [] });
    expect(listed.tools).toContainEqual(
      expect.objectContaining({ name: echo.tool, inputSchema: expect.objectContaining({ type: 'object' }) }),
    );

    const before = server.requests.length;
    const files = createMemoryFiles();
    const said = await clients.call(reached, { name: echo.tool }, { [echo.argument]: 'hello' }, files);
    expect(said).toBe('Echo: hello');
    const again = await clients.call(reached, { name: echo.tool }, { [echo.argument]: 'again' }, files);
    expect(again).toBe('Echo: again');
    // A stream for notifications may stand beside the calls.
    const isStream = ({ method, rpc }: Recorded) => method === 'GET' || rpc === 'subscriptions/listen';
    const requests = server.requests.slice(before).filter((request) => !isStream(request));
    expect(requests.map(({ rpc }) => rpc)).toEqual(transport === 'stdio' ? [] : ['tools/call', 'tools/call']);
  });
});
