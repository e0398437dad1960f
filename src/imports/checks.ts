// Asks the sources of imports again, and pins what they say. decision: 041; decision: 042
import { CHECK_ROUND_MS, CHECKED_AFTER_SECONDS } from '../connections/model/limits.ts';
import { describe, FAILED_ITSELF, unavailableText } from '../http/errors.ts';
import type { Notify } from '../kit/notice.ts';
import type { Registries } from '../kit/registries.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { Ask } from './ask.ts';
import { afterFirstListing } from './first-listing.ts';
import type { McpClients } from './mcp/client.ts';
import { fieldsOf } from './model/auth-blocks.ts';
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
import type { Pages } from './pages.ts';
import type { Pin } from './pin.ts';
import { compareTools } from './pinned/compare.ts';
import type { Sources } from './sources.ts';

export interface CheckedImport {
  stored: StoredImport;
  warnings: readonly string[];
}

export interface ImportChecks {
  /** Asks with the credential of the person. Refuses while somebody else asks. Throws a SourceFailure. */
  now: (asker: string | null, stored: StoredImport) => Promise<Done<CheckedImport>>;
  /** Waits until nobody else asks, as that answer may be older than what the person wants to see. */
  whenFree: ImportChecks['now'];
  /** The person has just connected the integration. Its first listing is made then. */
  connected(userId: string, name: string): Promise<void>;
  /** Asks the sources that nobody has asked for a day. */
  due: (stop?: AbortSignal) => Promise<void>;
}

/** Longer than the listing of a program that has to be installed first. */
const LEASE_SECONDS = 180;
const UNDER_WAY = refuse(409, 'The source is being asked already. Look again in a moment');
/** Longer than most listings, and shorter than a person waits. */
const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 250;
const ROUND_LEASE = 'import checks';
const ROUND_LEASE_SECONDS = 240;
const CHECKS_PER_ROUND = 5;
/** Limits how often a server can start a check by saying that its tools have changed. */
const RECHECK_SECONDS = 60;
/** Those who heard of a change in that time; one of them may ask. */
const MAX_HEARERS = 100;

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'random' | 'store'> & {
  ask: Ask;
  hasSpace: HasSpace;
  lookBeside: LookBeside;
  mcp: Pick<McpClients, 'end' | 'onToolsChanged'>;
  notify: Notify;
  pages: Pages;
  pin: Pin;
  registries: Registries;
  sources: Sources;
  storedImports: StoredImports;
};

export function createImportChecks(deps: Needs): ImportChecks {
  const {
    ask,
    clock,
    digest,
    hasSpace,
    log,
    lookBeside,
    mcp,
    notify,
    pages,
    pin,
    random,
    registries,
    sources,
    store,
    storedImports,
  } = deps;
  /** When an import was last asked because it had changed. */
  const lastRechecks = new Map<string, number>();
  /** The people who have heard of a change that nobody has looked at. */
  const hearers = new Map<string, { since: number; people: Set<string> }>();

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
    if (!(await hasSpace(record, tools.rows)) || !(await pages.hasSpace(record, pinned)))
      throw new SourceFailure(413, TOO_LARGE);
    await pages.store(record.id, pinned);
    const saved = await storedImports.save(stored, {
      record: { checked_at: clock.now(), check_error: null },
      ...(settings.isListed ? {} : { settings: afterFirstListing(settings, listing.tools, pinned) }),
      tools,
    });
    if (!saved.ok) return saved;
    await pages.tidy(record.id, saved.value.rows);
    await tellOfChanges(record, saved.value.rows, tools.written);
    return { ok: true, value: { stored: saved.value, warnings: [...listing.warnings, ...warnings] } };
  }

  /** Tells of what waits for a review since this check: the importer, also of an import for everyone. */
  async function tellOfChanges(
    { created_by: userId, id, name }: ImportRecord,
    rows: readonly ImportToolRecord[],
    written: readonly ImportToolRecord[],
  ): Promise<void> {
    if (userId === '' || !written.some(({ state }) => state !== 'granted')) return;
    const waiting = rows.filter(({ state }) => state !== 'granted');
    const found = waiting.map((row) => [row.name, row.state, row.found_digest]);
    await notify({
      kind: 'import',
      userId,
      about: `import ${id}`,
      instance: digest.sha256(JSON.stringify(found)),
      page: `/integrations/${name}`,
      name,
    });
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

  async function whenFree(asker: string | null, stored: StoredImport): Promise<Done<CheckedImport>> {
    const { id, name, owner } = stored.record;
    const since = clock.millis();
    let latest = stored;
    for (;;) {
      const checked = await now(asker, latest);
      if (checked !== UNDER_WAY || clock.millis() - since >= WAIT_MS) return checked;
      await clock.sleep(LOOK_AGAIN_MS);
      // The other check writes a new version.
      const found = await storedImports.find(owner, name);
      if (found?.record.id !== id) return refuse(409, 'The import has been deleted meanwhile');
      latest = found;
    }
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

  /** What changes again within the time is looked at when the time is over. */
  async function hear(id: string, userId: string): Promise<void> {
    const since = clock.now();
    const waiting = hearers.get(id);
    // On an edge runtime the wait ends with its request, and nobody looks.
    if (waiting !== undefined && since - waiting.since <= RECHECK_SECONDS) {
      if (waiting.people.size < MAX_HEARERS) waiting.people.add(userId);
      return;
    }
    const people = new Set([userId]);
    hearers.set(id, { since, people });
    const last = lastRechecks.get(id);
    if (last !== undefined) await clock.sleep((last + RECHECK_SECONDS - clock.now()) * 1_000);
    hearers.delete(id);
    const second = clock.now();
    for (const [each, at] of lastRechecks) if (at <= second - RECHECK_SECONDS) lastRechecks.delete(each);
    lastRechecks.set(id, second);
    for (const each of people) if (await recheck(id, each)) return;
  }

  /** Returns false for a person who may not ask. */
  async function recheck(id: string, userId: string): Promise<boolean> {
    const { integrations } = await registries.of(userId);
    const integration = integrations.find(({ imported }) => imported?.id === id);
    const stored = integration && (await storedImports.of(userId, integration));
    const asker = stored ? askerFor(stored, userId) : undefined;
    if (!stored || asker === undefined) return false;
    const checked = await now(asker, stored);
    // The source may have changed behind what is being read.
    if (checked === UNDER_WAY) void quietly(id, () => hear(id, userId));
    return true;
  }

  mcp.onToolsChanged((key) => {
    const [id = '', userId = ''] = key.split(' ');
    void quietly(id, () => hear(id, userId));
  });

  return {
    now,
    whenFree,

    async connected(userId, name) {
      await quietly(name, async () => {
        const integration = await registries.integration(userId, name);
        const stored = integration && (await storedImports.of(userId, integration));
        if (!stored) return;
        // The sessions of a connection that was replaced are not used again.
        await mcp.end(`${stored.record.id} ${userId === EVERYONE ? '' : `${userId} `}`);
        const asker = askerFor(stored, userId);
        if (asker !== undefined) await now(asker, stored);
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
        await saveError(record, error instanceof Unavailable ? unavailableText(error) : FAILED_ITSELF);
      throw error;
    }
  }

  async function saveError(record: ImportRecord, check_error: string): Promise<void> {
    const next = { ...record, checked_at: clock.now(), check_error, version: random.uuid() };
    await store.imports.update(record, next, { tools: [], removed: [] });
  }
}

/**
 * Whose credential asks after a person has connected, or has heard that the tools have changed: null is nobody's, and
 * undefined means that nobody asks. What one person sees of a source must not change what everyone has. A server of the
 * operator that wants values of people is listed by whichever person connects first, and after that only when an
 * administrator asks. An administrator who connects for the team may list it too.
 */
function askerFor({ record, settings }: StoredImport, userId: string): string | null | undefined {
  if (settings === null) return undefined;
  const isOperators = record.created_by === '';
  if (isOperators && fieldsOf(settings.auth).length === 0) return null;
  const mayBeFirst = (isOperators || userId === EVERYONE) && !settings.isListed;
  return record.created_by === userId || mayBeFirst ? userId : undefined;
}
