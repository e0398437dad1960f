// Opens the gateway's client for MCP servers over a real egress, and reaches servers as a person.
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { McpClients } from '../../src/imports/mcp/client.ts';
import type { Reached } from '../../src/imports/model/reach.ts';
import { createMcpClients } from '../../src/imports/mcp/clients.ts';
import type { Hold } from '../../src/imports/mcp/session-pool.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LocalServers } from '../../src/ports/local-servers.ts';
import { closeAll, open } from './egress-door.ts';

export interface ClientsStand {
  clients: McpClients;
  /** Reaches an address. Another key is another session. */
  reach(address: string, more?: Partial<Reached>): Reached;
  close(): Promise<void>;
}

interface Options {
  clock?: Clock;
  hold?: Hold;
  localServers?: LocalServers | null;
  limits?: { list: number; call: number; silence?: number };
  isIsolated?: boolean;
}

export function openMcpClients({
  clock,
  hold = () => () => {},
  localServers = null,
  ...more
}: Options = {}): ClientsStand {
  const { egress } = open({ loopback: true });
  const clients = createMcpClients({
    hold,
    clock: clock ?? createSystemClock(setImmediate),
    log: { shows: () => false, write() {} },
    localServers,
    ...more,
  });
  return {
    clients,
    reach: (address, other) => ({
      address,
      key: 'import person ',
      send: (url, init) => egress.fetch(url, init),
      values: async () => ({}),
      ...other,
    }),
    async close() {
      await clients.close();
      await closeAll();
    },
  };
}
