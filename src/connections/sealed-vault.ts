// Seals credentials into the store and opens them again. decision: 024
import { MAX_ACCOUNTS } from './model/limits.ts';
import type { Seal } from '../crypto/seal.ts';
import { describe, HttpError } from '../http/errors.ts';
import type { ConnectionChanged } from '../kit/connection-change.ts';
import type { Ports } from '../ports/ports.ts';
import { type Connection, type ConnectionKey, FIRST_ACCOUNT } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { TEAM_ACCOUNT } from '../ports/team.ts';
import { Unavailable } from '../ports/unavailable.ts';
import { accountToRenew, freeLabel, instanceOf, labelsOf, requireOwnAccount } from './model/accounts.ts';
import { isOfSameImport } from './model/config.ts';
import { UNSEEN } from './model/state.ts';
import { TEAM_LABEL } from './model/team.ts';
import { COOKIE_SENTINEL, type NewConnection, placeOf, type Saved, type Vault } from './model/vault.ts';

type Needs = Pick<Ports, 'store' | 'clock' | 'digest' | 'log' | 'pending' | 'random'> & {
  connectionChanged: ConnectionChanged;
  seal: Seal;
};

export function createVault({
  store,
  seal,
  clock,
  digest,
  log,
  pending,
  random,
  connectionChanged,
}: Needs): Vault {
  const sealInto: Vault['seal'] = async (text, key, column) =>
    text === null ? null : seal.seal(text, placeOf(key, column));

  async function put(
    seen: readonly Connection[] | null,
    userId: string,
    integration: string,
    connection: NewConnection,
  ): Promise<Saved> {
    await connectionChanged({ kind: 'saving', userId, integration });
    const saved = await renewOrAdd(seen, userId, integration, connection);
    await connectionChanged({ kind: 'saved', userId, integration });
    await notifyAgent(userId, integration);
    return saved;
  }

  async function renewOrAdd(
    seen: readonly Connection[] | null,
    userId: string,
    integration: string,
    connection: NewConnection,
  ): Promise<Saved> {
    const { account_id, account_label } = connection.state ?? UNSEEN;
    const config = connection.config === undefined ? null : JSON.stringify(connection.config);
    const next = { account_id, account_label, config, wanted: connection.account, meant: connection.meant };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const all = await store.connections.of(userId, integration);
      // A connection of another import of the same name is of no use any more.
      const ofImport = (row: Connection) => config === null || isOfSameImport(row, { config });
      const rows = all.filter(ofImport);
      const { renewed, ...saved } = requireOwnAccount(rows, next);
      if (renewed !== null || rows.length === 0) {
        const account = renewed?.account ?? all[0]?.account ?? FIRST_ACCOUNT;
        const row = await sealRow({ user_id: userId, integration, account }, connection);
        if (seen !== null && !holdsSame(findAccount(seen, account), findAccount(all, account)))
          throw changed();
        if (all.length > 0) {
          await store.connections.put(row);
          return saved;
        }
        const first = { ...row, label: connection.account ?? null };
        const outcome = await store.connections.add(first, MAX_ACCOUNTS);
        if (outcome === 'added') return saved;
        if (outcome === 'gone') throw noPerson();
        continue;
      }
      const former = accountToRenew(seen?.filter(ofImport) ?? [], next);
      // The account that the credential would have renewed was disconnected meanwhile.
      if (former !== null && !holdsSame(former, findAccount(all, former.account))) throw changed();
      const labels = new Set([
        TEAM_LABEL,
        ...(await keepLabels(rows)),
        ...all.flatMap((row) => row.label ?? []),
      ]);
      const label = labelFor(connection, labels);
      const account =
        connection.newAccount ??
        (account_id === null || attempt > USUAL_ATTEMPTS
          ? random.uuid()
          : nameAccount(account_id, instanceOf({ config })));
      const row = await sealRow({ user_id: userId, integration, account }, connection);
      const outcome = await store.connections.add({ ...row, label }, MAX_ACCOUNTS);
      if (outcome === 'added') return saved;
      if (outcome === 'gone') throw noPerson();
      if (outcome === 'full')
        throw new HttpError(409, {
          error: `You have ${MAX_ACCOUNTS} accounts of this integration. Disconnect one first.`,
        });
    }
    throw changed();
  }

  async function saveForTeam(
    by: string,
    integration: string,
    connection: NewConnection,
    seen?: readonly Connection[],
  ): Promise<void> {
    await connectionChanged({ kind: 'saving', userId: EVERYONE, integration });
    const key = { user_id: EVERYONE, integration, account: TEAM_ACCOUNT };
    const row = await sealRow(key, connection);
    const current = await store.connections.get(EVERYONE, integration, TEAM_ACCOUNT);
    if (seen !== undefined && !holdsSame(findAccount(seen, TEAM_ACCOUNT), current)) throw changed();
    await store.team.save({ ...row, label: TEAM_LABEL }, { connected_by: by, connected_at: row.created_at });
    await connectionChanged({ kind: 'saved', userId: EVERYONE, integration });
  }

  /** Stores the labels of accounts that have none of their own, so that they stay when others come and go. */
  async function keepLabels(rows: readonly Connection[]): Promise<string[]> {
    const labels = labelsOf(rows);
    for (const [at, row] of rows.entries())
      if (row.label === null) await store.connections.rename(row, labels[at] ?? '');
    return labels;
  }

  /** Parallel sign-ins of one account get one name. */
  const nameAccount = (id: string, instance: string): string =>
    digest.sha256(JSON.stringify([id, instance])).slice(0, 32);

  // A failure here must not fail the request: the connection is stored, and its code or state cannot be used again.
  async function notifyAgent(userId: string, integration: string): Promise<void> {
    try {
      await pending.connect(userId, integration);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.write('error', 'the agent was not notified of a connection', { integration, ...describe(error) });
    }
  }

  async function sealRow(
    key: ConnectionKey,
    {
      accessToken,
      refreshToken = null,
      expiresAt = null,
      scopes = null,
      cookies = null,
      config,
      way = null,
      state = UNSEEN,
    }: NewConnection,
  ): Promise<Connection> {
    const now = clock.now();
    return {
      ...key,
      access_token:
        accessToken === undefined ? COOKIE_SENTINEL : await sealInto(accessToken, key, 'access_token'),
      refresh_token: await sealInto(refreshToken, key, 'refresh_token'),
      expires_at: expiresAt,
      scopes,
      cookies: await sealInto(cookies, key, 'cookies'),
      config: config === undefined ? null : JSON.stringify(config),
      created_at: now,
      updated_at: now,
      way,
      label: null,
      is_default: false,
      is_write_default: false,
      team_use: null,
      ...state,
    };
  }

  return {
    seal: sealInto,

    save: (userId, integration, connection) => put(null, userId, integration, connection),
    // The store has no conditional put, so a write between the second read and this one is overwritten.
    replace: put,
    saveForTeam,

    open(connection, column) {
      const sealed = connection[column];
      if (sealed === null) return Promise.resolve(null);
      return seal.open(sealed, placeOf(connection, column));
    },
  };
}

/** Each failed attempt means that another account was stored, so this many suffice. */
const MAX_ATTEMPTS = MAX_ACCOUNTS + 1;
/** After these the name of the account is a new one: an import that was replaced may still hold it. */
const USUAL_ATTEMPTS = 3;

/** The label of an account that is added. */
function labelFor({ account, meant, state = UNSEEN }: NewConnection, taken: ReadonlySet<string>): string {
  if (account === undefined) return freeLabel(state, taken);
  return meant === undefined ? account : freeLabel({ account_id: null, account_label: account }, taken);
}

const changed = () => new HttpError(409, { error: 'The connection was changed meanwhile. Try again.' });

const noPerson = () =>
  new HttpError(403, { error: 'You are no longer a user of this gateway. Sign in again to become one.' });

const findAccount = (rows: readonly Connection[], account: string): Connection | null =>
  rows.find((row) => row.account === account) ?? null;

/** Sealed texts never repeat, so a row that still holds these has not been stored again. */
function holdsSame(seen: Connection | null, current: Connection | null): boolean {
  return (
    seen?.access_token === current?.access_token &&
    seen?.refresh_token === current?.refresh_token &&
    seen?.cookies === current?.cookies
  );
}
