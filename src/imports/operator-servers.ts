// Keeps an import for everyone for each server of the operator's file. decision: 044
import { describe } from '../http/errors.ts';
import type { Registry } from '../kit/registry.ts';
import { createSemaphore } from '../memory/semaphore.ts';
import { withLease } from '../memory/with-lease.ts';
import type { LocalServer } from '../ports/local-servers.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import type { ImportChecks } from './checks.ts';
import { fieldsOf } from './model/auth-blocks.ts';
import { addressOfProcess } from './model/process-address.ts';
import type { ImportSettings, Settings } from './model/settings.ts';
import type { ImportAuth } from './model/source-description.ts';
import type { StoredImports } from './model/stored-imports.ts';

const DESCRIPTION = 'Tools that the operator of this gateway runs.';
const LEASE = 'operator servers';
const LEASE_SECONDS = 120;
const MAX_IMPORTS = 1_000;
/** Each may install a program when it starts. */
const LISTED_AT_ONCE = 8;
/** What was not listed is asked again after these times, and then once a day with the others. */
const PAUSES_SECONDS = [10, 30, 60, 120, 300, 600, 1_800];

type Needs = Pick<Ports, 'clock' | 'localServers' | 'log' | 'random' | 'store'> & {
  builtIn: Pick<Registry, 'integration'>;
  checks: Pick<ImportChecks, 'now'>;
  settings: ImportSettings;
  storedImports: StoredImports;
};

/** Runs at each start, until each server has been listed. Processes without the file leave the imports as they are. */
export async function keepOperatorServers(deps: Needs, stop: AbortSignal): Promise<void> {
  const { builtIn, checks, clock, localServers, log, random, store, storedImports } = deps;
  if (localServers === null) return;
  const { maxProcesses, servers } = localServers;
  const inTurn = createSemaphore(Math.min(LISTED_AT_ONCE, maxProcesses));
  const kept = await withLease(deps, LEASE, LEASE_SECONDS, keep);
  // A slow server does not keep the others waiting.
  await Promise.all((kept?.value ?? []).map(listSoon));

  /** Returns the imports that nobody has listed yet, and that need no values of a person. */
  async function keep(): Promise<ImportRecord[]> {
    const open: ImportRecord[] = [];
    const stored = (await storedImports.list(EVERYONE)).filter(({ record }) => record.created_by === '');
    const wanted = new Map(servers.map((server) => [server.name, server]));
    for (const { record, settings, rows } of stored) {
      const server = wanted.get(record.name);
      const isSame = server !== undefined && isAt(server, record) && hasFields(settings, server);
      if (!isSame) {
        await store.imports.delete(record);
        continue;
      }
      wanted.delete(record.name);
      // A secret of the operator may have changed, which is no reason to forget what people have connected and chosen.
      if (settings !== null && !hasAuth(settings, server))
        await storedImports.save(
          { record, settings, rows },
          { record: { updated_at: clock.now() }, settings: { ...settings, auth: authOf(server) } },
        );
      if (settings?.isListed === false && server.fields.length === 0) open.push(record);
    }
    for (const server of wanted.values()) {
      const added = await add(server);
      if (added !== null && server.fields.length === 0) open.push(added);
    }
    return open;
  }

  async function add(server: LocalServer): Promise<ImportRecord | null> {
    const { name } = server;
    if (builtIn.integration(name) !== null) {
      log.write('error', 'a server of MCP_SERVERS has the name of a built-in integration', {
        integration: name,
      });
      return null;
    }
    const id = random.uuid();
    const settings: Settings = {
      auth: authOf(server),
      include: null,
      exclude: [],
      access: {},
      isListed: false,
    };
    const time = clock.now();
    const record: ImportRecord = {
      id,
      owner: EVERYONE,
      name,
      kind: 'mcp',
      display_name: name,
      description: DESCRIPTION,
      address: addressOf(server),
      settings: await deps.settings.seal(id, settings),
      created_by: '',
      created_at: time,
      updated_at: time,
      checked_at: null,
      check_error: null,
      version: random.uuid(),
    };
    const outcome = await store.imports.create(record, [], MAX_IMPORTS);
    if (outcome === 'created') return record;
    log.write('error', 'a server of MCP_SERVERS could not be added', { integration: name, reason: outcome });
    return null;
  }

  function logNotListed(integration: string, why: object): void {
    log.write('warn', 'a server of MCP_SERVERS was not listed', { integration, ...why });
  }

  async function listSoon({ id, name }: ImportRecord): Promise<void> {
    for (const seconds of [0, ...PAUSES_SECONDS]) {
      if (seconds > 0) await clock.sleep(seconds * 1_000, stop);
      if (stop.aborted) return;
      const isDone = await inTurn(async () => {
        const stored = await storedImports.find(EVERYONE, name);
        // Another process may have listed it meanwhile.
        if (stored?.record.id !== id || stored.settings?.isListed !== false) return true;
        const done = await checks.now(null, stored);
        if (!done.ok) logNotListed(name, { reason: done.message });
        return done.ok;
      }).catch((error: unknown) => {
        logNotListed(name, describe(error));
        return false;
      });
      if (isDone) return;
    }
  }
}

const addressOf = ({ name, url }: LocalServer): string => url ?? addressOfProcess(name);

const isAt = (server: LocalServer, { address }: ImportRecord): boolean => address === addressOf(server);

function authOf({ fields, headers, url }: LocalServer): ImportAuth {
  if (url !== undefined) return headers === undefined ? { type: 'none' } : { type: 'headers', headers };
  // The values go to the process, and never into a request.
  return fields.length === 0 ? { type: 'none' } : { type: 'values', fields };
}

/** Other fields are another way to connect. */
const hasFields = (settings: Settings | null, server: LocalServer): boolean =>
  settings !== null &&
  settings.auth.type === authOf(server).type &&
  fieldsOf(settings.auth).join() === fieldsOf(authOf(server)).join();

const hasAuth = ({ auth }: Settings, server: LocalServer): boolean =>
  JSON.stringify(auth) === JSON.stringify(authOf(server));
