// Reads the file of MCP_SERVERS and gives its servers to the driver that starts them. decision: 044
import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createLocalServers } from '../../drivers/processes/local-servers.ts';
import { integrations } from '../../integrations/all.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Config } from '../../src/config/config.ts';
import { readServersFile, type ServersFile } from '../../src/config/mcp-servers.ts';
import { redact } from '../../src/http/redact.ts';
import { isReservedName } from '../../src/kit/registry.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LocalServers } from '../../src/ports/local-servers.ts';
import type { Log } from '../../src/ports/log.ts';

const PASSED_ON = ['PATH', 'LANG', 'TZ'];
/** In DATA_DIR, for what npm and uv download. It may be deleted while the gateway is stopped. */
const CACHE_FOLDER = 'mcp-servers-cache';
const MAX_FILE_BYTES = 1024 * 1024;

/** Returns null when the operator names no file. Throws a ConfigError for one that cannot be used. */
export function loadServersFile(
  { MCP_SERVERS: file }: Pick<Config, 'MCP_SERVERS'>,
  env: NodeJS.ProcessEnv,
): ServersFile | null {
  if (file === undefined) return null;
  const isTaken = (name: string) =>
    isReservedName(name) || integrations.some((integration) => integration.name === name);
  const { servers, warnings } = readServersFile(readText(file), { file, env, isTaken });
  return {
    warnings: warnings.map((warning) => `${file}: ${warning}`),
    servers: servers.map((server) => {
      if (!('command' in server) || server.cwd === null) return server;
      // A path in the file is relative to the file.
      const cwd = resolve(dirname(file), server.cwd);
      if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return { ...server, cwd };
      throw refuse(
        file,
        `server "${server.name}": "cwd" is not a folder of this machine; make it or remove "cwd"`,
      );
    }),
  };
}

export function openLocalServers(
  { servers }: ServersFile,
  {
    DATA_DIR,
    MCP_SERVERS_MAX_PROCESSES: maxProcesses,
  }: Pick<Config, 'DATA_DIR' | 'MCP_SERVERS_MAX_PROCESSES'>,
  needs: { log: Log; clock: Clock },
  env: NodeJS.ProcessEnv,
): LocalServers {
  const environment = Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const folders = { folder: tmpdir(), cacheFolder: join(DATA_DIR, CACHE_FOLDER) };
  return createLocalServers({ ...needs, ...folders, servers, environment, maxProcesses, redact });
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.length <= MAX_FILE_BYTES) return bytes.toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw refuse(file, `cannot be read (${code}); MCP_SERVERS must be the path of a JSON file`);
  }
  throw refuse(file, 'has more than 1 MiB; MCP_SERVERS must be the path of a JSON file with servers');
}

function refuse(file: string, message: string): ConfigError {
  return new ConfigError([{ name: 'MCP_SERVERS', message: `${file}: ${message}` }]);
}
