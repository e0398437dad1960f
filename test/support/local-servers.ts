// Opens the driver of MCP servers as the adapter does, on a file that a test gives.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { loadServersFile, openLocalServers } from '../../adapters/node/local-servers.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LocalProcess, LocalServers } from '../../src/ports/local-servers.ts';
import { ROOT } from './gateway-process.ts';

export interface LogLine {
  event: string;
  [field: string]: unknown;
}

export interface OpenedServers {
  localServers: LocalServers;
  logged: LogLine[];
  close(): Promise<void>;
}

/** A server whose program is a text of JavaScript. */
export const script = (source: string, more: object = {}) => ({
  command: process.execPath,
  args: ['--input-type=module', '--eval', source],
  ...more,
});

const ENTRIES = { filesystem: 'index.js', memory: 'index.js', everything: 'index.js' };

/** An official server, started without npx. */
export const official = (name: keyof typeof ENTRIES, ...args: string[]) => ({
  command: process.execPath,
  args: [join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/${ENTRIES[name]}`), ...args],
});

export async function openServers(
  mcpServers: Record<string, object>,
  {
    env = process.env,
    clock = createSystemClock(),
    maxProcesses = 50,
  }: { env?: NodeJS.ProcessEnv; clock?: Clock; maxProcesses?: number } = {},
): Promise<OpenedServers> {
  const folder = await mkdtemp(join(tmpdir(), 'servers-file-'));
  const file = join(folder, 'mcp.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  const read = loadServersFile({ MCP_SERVERS: file }, env);
  if (read === null) throw new Error('there is no file');
  const config = { DATA_DIR: join(folder, 'data'), MCP_SERVERS_MAX_PROCESSES: maxProcesses };
  const logged: LogLine[] = [];
  const log = {
    shows: () => true,
    write: (_: string, event: string, fields = {}) => void logged.push({ event, ...fields }),
  };
  const localServers = openLocalServers(read, config, { log, clock }, env);
  return {
    localServers,
    logged,
    async close() {
      await localServers.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Lets the official client speak to a process. */
export function transportOf(process: LocalProcess): Transport {
  const transport: Transport = {
    async start() {
      // The driver gives one line of JSON; the client checks what it means.
      process.onMessage = (line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      process.onEnd = () => transport.onclose?.();
    },
    send: (message) => process.send(JSON.stringify(message)),
    close: () => process.end(),
  };
  return transport;
}
