// Asks the sources of imports again, and pins what they say. decision: 041; decision: 042
import { CHECK_ROUND_MS, CHECKED_AFTER_SECONDS } from '../connections/model/limits.ts';
import { describe, FAILED_ITSELF, UNAVAILABLE } from '../http/errors.ts';
import type { Registries } from '../kit/registries.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { Ask } from './ask.ts';
import { afterFirstListing } from './first-listing.ts';
import type { McpClients } from './mcp/client.ts';
import type { Settings } from './model/settings.ts';
import type { Listing } from './model/source.ts';
import { SourceFailure } from './model/source-failure.ts';
import { type HasSpace, TOO_LARGE } from './model/space.ts';
import {
  type Done,
  refuse,
  type StoredImport,
  type StoredImports,
  UNREADABLE,
} from './model/stored-imports.ts';
import type { LookBeside } from './look-beside.ts';
import type { Pin } from './pin.ts';
import { compareTools } from './pinned/compare.ts';
import type { Sources } from './sources.ts';

export interface CheckedImport {
  stored: StoredImport;
  warnings: readonly string[];
}

export interface ImportChecks {
  /** Asks with the credential of the person. Throws a SourceFailure. */
  now: (asker: string | null, stored: StoredImport) => Promise<Done<CheckedImport>>;
  /** The person has just connected the integration. Its first listing is made then. */
  connected(userId: string, name: string): Promise<void>;
  /** Asks the sources that nobody has asked for a day. */
  due: (stop?: AbortSignal) => Promise<void>;
}

const LEASE_SECONDS = 90;
const UNDER_WAY = refuse(409, 'The source is being asked already. Look again in a moment');
const ROUND_LEASE = 'import checks';
const ROUND_LEASE_SECONDS = 180;
const CHECKS_PER_ROUND = 5;
/** Limits how often a server can start a check by saying that its tools have changed. */
const RECHECK_SECONDS = 60;

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> & {
  ask: Ask;
  hasSpace: HasSpace;
  lookBeside: LookBeside;
  mcp: Pick<McpClients, 'end' | 'onToolsChanged'>;
  pin: Pin;
  registries: Registries;
  sources: Sources;
  storedImports: StoredImports;
};

export function createImportChecks(deps: Needs): ImportChecks {
  const {
    ask,
    clock,
    hasSpace,
    log,
    lookBeside,
    mcp,
    pin,
    random,
    registries,
    sources,
    store,
    storedImports,
  } = deps;
  const lastRechecks = new Map<string, number>();

  /** The first listing is granted: somebody has just chosen this source. */
  async function take(
    stored: StoredImport,
    settings: Settings,
    listing: Listing,
  ): Promise<Done<CheckedImport>> {
    const { record, rows } = stored;
    const address = sources.of(record, listing.tools[0]).addressOf(record, settings);
    const beside = await lookBeside(record, rows);
    const { pinned, warnings } = await pin.tools(record.name, listing.tools, address, beside);
    const tools = compareTools(rows, pinned, { importId: record.id, trusts: !settings.isListed });
    if (!(await hasSpace(record, tools.rows))) throw new SourceFailure(413, TOO_LARGE);
    const saved = await storedImports.save(stored, {
      record: { checked_at: clock.now(), check_error: null },
      ...(settings.isListed ? {} : { settings: afterFirstListing(settings, listing.tools, pinned) }),
      tools,
    });
    return saved.ok
      ? { ok: true, value: { stored: saved.value, warnings: [...listing.warnings, ...warnings] } }
      : saved;
  }

  async function now(asker: string | null, stored: StoredImport): Promise<Done<CheckedImport>> {
    const { record, settings } = stored;
    if (settings === null) return refuse(409, UNREADABLE);
    const held = await withLease(deps, `import ${record.id}`, LEASE_SECONDS, async () => {
      try {
        const asked = await ask({ ...stored, settings }, asker);
        return asked.ok ? await take(stored, settings, asked.value) : refuse(409, asked.message);
      } catch (error) {
        if (error instanceof SourceFailure)
          await storedImports.save(stored, {
            record: { checked_at: clock.now(), check_error: error.message },
          });
        throw error;
      }
    });
    return held === null ? UNDER_WAY : held.value;
  }

  /** Logs a failure instead of throwing it, because no caller waits for the result. */
  async function quietly(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const level = error instanceof SourceFailure ? 'info' : 'warn';
      log.write(level, 'an import could not be checked', { integration: name, ...describe(error) });
    }
  }

  async function recheck(id: string, userId: string): Promise<void> {
    const second = clock.now();
    for (const [each, at] of lastRechecks) if (at <= second - RECHECK_SECONDS) lastRechecks.delete(each);
    if (lastRechecks.has(id)) return;
    lastRechecks.set(id, second);
    const { integrations } = await registries.of(userId);
    const integration = integrations.find(({ imported }) => imported?.id === id);
    const stored = integration && (await storedImports.of(userId, integration));
    if (stored && mayAsk(stored, userId)) await now(userId, stored);
  }

  mcp.onToolsChanged((key) => {
    const [id = '', userId = ''] = key.split(' ');
    void quietly(id, () => recheck(id, userId));
  });

  return {
    now,

    async connected(userId, name) {
      await quietly(name, async () => {
        const integration = await registries.integration(userId, name);
        const stored = integration && (await storedImports.of(userId, integration));
        if (!stored) return;
        // The sessions of a connection that was replaced are not used again.
        await mcp.end(`${stored.record.id} ${userId === EVERYONE ? '' : `${userId} `}`);
        if (mayAsk(stored, userId)) await now(userId, stored);
      });
    },

    async due(stop) {
      await withLease(deps, ROUND_LEASE, ROUND_LEASE_SECONDS, () => checkRound(stop));
    },
  };

  async function checkRound(stop: AbortSignal | undefined): Promise<void> {
    const started = clock.millis();
    const before = clock.now() - CHECKED_AFTER_SECONDS;
    for (const record of await store.imports.due(before, CHECKS_PER_ROUND)) {
      // Slow sources must not delay the next round.
      if (stop?.aborted === true || clock.millis() - started > CHECK_ROUND_MS) return;
      await quietly(record.name, () => checkOfRound(record));
    }
  }

  async function checkOfRound(record: ImportRecord): Promise<void> {
    const asker = record.created_by === '' ? null : record.created_by;
    // Without a new time the import would come first in every round, also when its source ends the process.
    await store.imports.markChecked(record.id, clock.now());
    try {
      await now(asker, await storedImports.complete(record));
    } catch (error) {
      // `now` has stored what a SourceFailure says.
      if (!(error instanceof SourceFailure))
        await saveError(record, error instanceof Unavailable ? UNAVAILABLE : FAILED_ITSELF);
      throw error;
    }
  }

  async function saveError(record: ImportRecord, check_error: string): Promise<void> {
    const next = { ...record, checked_at: clock.now(), check_error, version: random.uuid() };
    await store.imports.update(record, next, { tools: [], removed: [] });
  }
}

/**
 * What one person sees of a source must not change what everyone has. A server of the operator that wants values of people
 * is listed by whichever person connects first, and after that only when an administrator asks. An administrator who
 * connects for the team may list it too.
 */
const mayAsk = ({ record, settings }: StoredImport, userId: string): boolean =>
  record.created_by === userId ||
  ((record.created_by === '' || userId === EVERYONE) && settings?.isListed === false);
