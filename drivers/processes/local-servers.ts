// Starts the operator's MCP servers as child processes, each with a clean environment and empty folders of its own.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock } from '../../src/ports/clock.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { isFieldValue, type LocalServer, type LocalServers } from '../../src/ports/local-servers.ts';
import type { Log } from '../../src/ports/log.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { KILL_SECONDS, type Running, startProcess, TERM_SECONDS } from './local-process.ts';
import { createStderrLog } from './stderr-log.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Where npm and uv keep what they download. */
const CACHES = { npm_config_cache: 'npm', UV_CACHE_DIR: 'uv', UV_PYTHON_INSTALL_DIR: 'uv-python' };
/** Programs may keep data of people here, so only a process that serves everybody finds it again. */
const SHARED_CACHES = { ...CACHES, XDG_CACHE_HOME: 'xdg' };

type Template = readonly (string | { field: string })[];

/** A server and how it is started. */
export interface CommandServer extends LocalServer {
  command: string;
  args: readonly Template[];
  env: Readonly<Record<string, Template>>;
  /** Null for the process's own empty folder. */
  cwd: string | null;
  /** Values of the operator that nobody may read. */
  secrets: readonly string[];
}

export interface LocalServersOptions {
  servers: readonly (LocalServer | CommandServer)[];
  /** The gateway's own environment holds its secrets: only these variables are passed on. */
  environment: Readonly<Record<string, string>>;
  /** The folder for the folders of processes. */
  folder: string;
  /** The folder for what package managers download. It stays. */
  cacheFolder: string;
  maxProcesses: number;
  log: Log;
  clock: Pick<Clock, 'millis' | 'sleep'>;
  redact: (text: string, secrets: readonly string[]) => string;
}

/** The PATH, when the gateway itself has none. */
const PLACES = '/usr/local/bin:/usr/bin:/bin';

export function createLocalServers(options: LocalServersOptions): LocalServers {
  const { servers, environment, log, clock, maxProcesses } = options;
  const path = environment['PATH'] ?? PLACES;
  const running = new Set<Running>();
  const starting = new Set<Promise<unknown>>();
  let count = 0;
  let isClosed = false;
  let ground: Promise<{ root: string; watchdog: Watchdog }> | null = null;

  /** Made at the first start: most gateways start no server. */
  async function prepare(): Promise<{ root: string; watchdog: Watchdog }> {
    const root = await mkdtemp(join(options.folder, 'mcp-servers-'));
    const onFailure = (reason: string) => log.write('warn', 'mcp servers are not watched', { reason });
    const seconds = [TERM_SECONDS, KILL_SECONDS] as const;
    return { root, watchdog: startWatchdog({ folder: root, seconds, path, onFailure }) };
  }

  /** The servers of the file do not share caches, so that none can change what another one runs. */
  async function makeCaches({ name, isShared = false }: LocalServer): Promise<Record<string, string>> {
    const folder = resolve(options.cacheFolder, name);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      log.write('warn', 'mcp server has no cache', { server: name, folder, code });
      return {};
    }
    const caches = Object.entries(isShared ? SHARED_CACHES : CACHES);
    return Object.fromEntries(caches.map(([variable, part]) => [variable, join(folder, part)]));
  }

  async function start(server: CommandServer, values: Readonly<Record<string, string>>): Promise<Running> {
    const fill = fillerOf(server, values);
    const own = Object.fromEntries(
      Object.entries(server.env).map(([name, template]) => [name, fill(template)]),
    );
    const args = server.args.map((template) => fillArgument(server, template, fill));
    // A value with line breaks is printed line by line.
    const secrets = [...Object.values(values), ...Object.values(own), ...server.secrets].flatMap((secret) =>
      secret.split(/[\r\n]+/),
    );
    ground ??= prepare();
    ground.catch(() => (ground = null));
    const { root, watchdog } = await ground;
    const folder = await mkdtemp(join(root, `${server.name}-`));
    const clear = () => rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
    let group: number | null = null;
    try {
      await Promise.all([mkdir(home), mkdir(temporary)]);
      const caches = await makeCaches(server);
      if (isClosed) throw new Unavailable('[processes] The gateway is stopping.');
      const started = await startProcess(
        {
          name: server.name,
          command: server.command,
          args,
          env: { ...environment, PATH: path, HOME: home, TMPDIR: temporary, ...caches, ...own },
          cwd: server.cwd ?? home,
        },
        {
          clock,
          onGroup(id) {
            group = id;
            watchdog.begin(id);
          },
          stderrLog: (pid) =>
            createStderrLog({
              log,
              clock,
              fields: { server: server.name, pid },
              redact: (text) => options.redact(text, secrets),
            }),
        },
      );
      log.write('info', 'mcp server started', { server: server.name, pid: group });
      running.add(started);
      void started.ended.then(async ({ reason, words }) => {
        const said = words === '' ? {} : { said: words };
        log.write('info', 'mcp server ended', { server: server.name, pid: group, reason, ...said });
        if (group !== null) watchdog.end(group);
        running.delete(started);
        count--;
        await clear();
      });
      return started;
    } catch (error) {
      if (group !== null) watchdog.end(group);
      await clear();
      throw error;
    }
  }

  return {
    maxProcesses,
    servers: servers.map(({ name, fields, isShared = false, url, headers }) => ({
      name,
      fields,
      isShared,
      ...(url === undefined ? {} : { url }),
      ...(headers === undefined ? {} : { headers }),
    })),
    async start(name, values) {
      const server = servers.find((one) => one.name === name);
      if (server === undefined || !('command' in server))
        throw new DriverFailure(`[processes] The file of MCP_SERVERS has no command for the server ${name}.`);
      if (isClosed) throw new Unavailable('[processes] The gateway is stopping.');
      if (count >= maxProcesses)
        throw new Unavailable(`[processes] All ${maxProcesses} processes for MCP servers are in use.`);
      count++;
      const begun = start(server, values);
      starting.add(begun);
      try {
        return await begun;
      } catch (error) {
        count--;
        throw error;
      } finally {
        starting.delete(begun);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(starting);
      await Promise.all([...running].map((one) => one.endSoon()));
      const made = await ground?.catch(() => null);
      if (!made) return;
      made.watchdog.close();
      await rm(made.root, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    },
  };
}

type Fill = (template: Template) => string;

/** Field by field, so that a value that looks like a field stays what it is. */
function fillerOf({ name, fields }: LocalServer, values: Readonly<Record<string, string>>): Fill {
  for (const field of fields) {
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    if (value === undefined)
      throw new DriverFailure(`[processes] The MCP server ${name} needs a value for ${field}.`);
    if (!isFieldValue(value))
      throw new DriverFailure(
        `[processes] The value for ${field} of the MCP server ${name} is too long or has a line break.`,
      );
  }
  return (template) =>
    template.map((part) => (typeof part === 'string' ? part : (values[part.field] ?? ''))).join('');
}

/** A person who fills in a whole argument must not be able to make an option of it. */
function fillArgument({ name }: LocalServer, template: Template, fill: Fill): string {
  const argument = fill(template);
  const [first] = template;
  if (typeof first === 'object' && argument.startsWith('-'))
    throw new DriverFailure(
      `[processes] A value for ${first.field} of the MCP server ${name} must not begin with "-".`,
    );
  return argument;
}
