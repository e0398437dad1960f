// Reseals every stored value under the current key while the gateway serves. decision: 049
// It skips the results stored for read_result, because they expire within the hour, and pending revocations, which live a
// day at most.
import { placeOfDetails } from '../audit/details/details.ts';
import { placeOfKey } from '../auth/api-keys.ts';
import { placeOfClient } from '../connections/oauth/registered-clients.ts';
import { LEASE_SECONDS, refreshLease } from '../connections/oauth/tokens.ts';
import { placeOf } from '../connections/vault.ts';
import { COOKIE_SENTINEL } from '../connections/vault.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import { placeOfImport } from '../imports/settings-place.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Ports } from '../ports/ports.ts';
import type { StoredCallDetails } from '../ports/call-details.ts';
import type { Connection, ImportRecord, ProviderClient } from '../ports/records.ts';
import type { Store } from '../ports/store.ts';
import { renewKeyCheck } from './key-check.ts';

export interface Rotation {
  resealed: number;
  alreadyCurrent: number;
  /**
   * Names the values that no key opens. An API key of the gateway has no integration. An OAuth client has no user, and
   * neither has an import that is for everyone.
   */
  unreadable: { userId: string; integration: string; column: string }[];
}

const PAGE_ROWS = 50;
const COLUMNS = ['access_token', 'refresh_token', 'cookies'] as const;
const LOOK_AGAIN_MS = 150;

/** A row as it was read. */
interface Row {
  /** `name` is what people know the value by, where its place does not say. */
  values: readonly {
    text: string | null;
    place: Place;
    name?: Place;
    /** Set for what is gone within a day anyway: nobody needs to know that it cannot be opened. */
    isShortLived?: true;
  }[];
  /** The lease that guards the refresh of its token. Null where there is nothing to refresh. decision: 048 */
  lease: string | null;
  /** Writes new texts in the order of the values. Returns false when the row has changed since it was read. */
  swap: (texts: readonly (string | null)[]) => Promise<boolean>;
  again: () => Promise<Row | null>;
}

type Renewed = { outcome: 'none' | 'current' | 'resealed' | 'unreadable'; text: string | null; name: Place };

/**
 * Swaps each row on its own: an interruption loses nothing, and the next run skips the rows that are done. It reports
 * the same object after every page.
 */
export async function rotateKeys(
  deps: Pick<Ports, 'store' | 'random' | 'clock'> & { seal: Seal },
  report: (progress: Readonly<Rotation>) => void,
): Promise<Rotation> {
  const { store, seal, clock } = deps;
  const rotation: Rotation = { resealed: 0, alreadyCurrent: 0, unreadable: [] };

  async function renew(value: Row['values'][number]): Promise<Renewed> {
    const { text, place, name = place, isShortLived = false } = value;
    if (text === null || text === COOKIE_SENTINEL) return { outcome: 'none', text, name };
    if (seal.isCurrent(text)) return { outcome: 'current', text, name };
    const opened = await seal.open(text, place);
    if (opened === null) return { outcome: isShortLived ? 'none' : 'unreadable', text, name };
    return { outcome: 'resealed', text: await seal.seal(opened, place), name };
  }

  async function rotate(first: Row): Promise<void> {
    for (let row: Row | null = first; row !== null; row = await row.again()) {
      const renewed = await Promise.all(row.values.map(renew));
      const isDone = renewed.every(({ outcome }) => outcome !== 'resealed');
      // A lost swap means that another process wrote the row, so the row is read again.
      if (isDone || (await swapInTurn(row, renewed))) return renewed.forEach(count);
    }
  }

  // A swap during a refresh would lose the tokens that the provider has just exchanged. The lease lets a running refresh
  // finish first and makes the next one wait.
  async function swapInTurn({ lease, swap }: Row, renewed: readonly Renewed[]): Promise<boolean> {
    const texts = renewed.map(({ text }) => text);
    if (lease === null) return swap(texts);
    const held = await withLease(deps, lease, LEASE_SECONDS, () => swap(texts));
    if (held !== null) return held.value;
    await clock.sleep(LOOK_AGAIN_MS);
    return false;
  }

  function count({ outcome, name: [userId, integration, column] }: Renewed): void {
    if (outcome === 'resealed') rotation.resealed++;
    if (outcome === 'current') rotation.alreadyCurrent++;
    if (outcome === 'unreadable') rotation.unreadable.push({ userId, integration, column });
  }

  for await (const page of pages(store)) {
    await Promise.all(page.map(rotate));
    report(rotation);
    await clock.turn();
  }
  await renewKeyCheck({ store, seal }, rotation.unreadable.length === 0);
  return rotation;
}

async function* pages({
  users,
  connections,
  providerClients,
  imports,
  callDetails,
}: Store): AsyncGenerator<Row[], void, undefined> {
  let keys = await users.pageOfSealedKeys(null, PAGE_ROWS);
  for (; keys.length > 0; keys = await users.pageOfSealedKeys(keys.at(-1)?.id ?? null, PAGE_ROWS))
    yield keys.map((key) => keyRow(users, key.id, key.api_key_ciphertext));
  let rows = await connections.page(null, PAGE_ROWS);
  for (; rows.length > 0; rows = await connections.page(rows.at(-1) ?? null, PAGE_ROWS))
    yield rows.map((row) => connectionRow(connections, row));
  let clients = await providerClients.page(null, PAGE_ROWS);
  for (
    ;
    clients.length > 0;
    clients = await providerClients.page(clients.at(-1)?.integration ?? null, PAGE_ROWS)
  )
    yield clients.map((row) => clientRow(providerClients, row));
  let added = await imports.page(null, PAGE_ROWS);
  for (; added.length > 0; added = await imports.page(added.at(-1)?.id ?? null, PAGE_ROWS))
    yield added.map((row) => importRow(imports, row));
  let calls = await callDetails.page(null, PAGE_ROWS);
  for (; calls.length > 0; calls = await callDetails.page(calls.at(-1)?.id ?? null, PAGE_ROWS))
    yield calls.map((row) => detailsRow(callDetails, row));
}

function keyRow(users: Store['users'], id: string, seen: string): Row {
  return {
    values: [{ text: seen, place: placeOfKey(id) }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && users.swapSealedKey(id, seen, next),
    async again() {
      const now = (await users.byId(id))?.api_key_ciphertext ?? null;
      return now === null ? null : keyRow(users, id, now);
    },
  };
}

function clientRow(
  clients: Store['providerClients'],
  { integration, sealed_client: seen }: ProviderClient,
): Row {
  return {
    values: [{ text: seen, place: placeOfClient(integration) }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && clients.swapSealed(integration, seen, next),
    async again() {
      const now = await clients.get(integration);
      return now === null ? null : clientRow(clients, now);
    },
  };
}

function importRow(imports: Store['imports'], { id, owner, name, settings: seen }: ImportRecord): Row {
  return {
    values: [{ text: seen, place: placeOfImport(id), name: [owner, name, 'import'] }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && imports.swapSettings(id, seen, next),
    async again() {
      const now = await imports.get(owner, name);
      return now?.id === id ? importRow(imports, now) : null;
    },
  };
}

function detailsRow(details: Store['callDetails'], { id, user_id, sealed: seen }: StoredCallDetails): Row {
  return {
    values: [{ text: seen, place: placeOfDetails(user_id, id), isShortLived: true }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && details.swapSealed(id, seen, next),
    // Nobody else writes them. A row that is gone has expired, or its person wanted so.
    again: async () => null,
  };
}

function connectionRow(connections: Store['connections'], seen: Connection): Row {
  const { user_id, integration, account } = seen;
  return {
    values: COLUMNS.map((column) => ({ text: seen[column], place: placeOf(seen, column) })),
    lease: seen.refresh_token === null ? null : refreshLease(seen),
    swap: ([access_token = null, refresh_token = null, cookies = null]) =>
      connections.swap(seen, { ...seen, access_token, refresh_token, cookies }),
    async again() {
      const now = await connections.get(user_id, integration, account);
      return now === null ? null : connectionRow(connections, now);
    },
  };
}
