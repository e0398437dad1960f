// Seals credentials into the store and opens them again. decision: 049
import type { Ports } from '../ports/ports.ts';
import type { Seal } from '../crypto/seal.ts';
import { describe, HttpError } from '../http/errors.ts';
import {
  type Connection,
  type ConnectionKey,
  type CredentialState,
  FIRST_ACCOUNT,
} from '../ports/records.ts';
import type { Place } from '../crypto/seal.ts';
import { MAX_ACCOUNTS } from '../config/limits.ts';
import {
  accountToRenew,
  type BoundAccount,
  freeLabel,
  instanceOf,
  labelsOf,
  requireOwnAccount,
} from './accounts.ts';
import type { Way } from './ways.ts';
import { Unavailable } from '../ports/unavailable.ts';
import { type ConnectionConfig, isOfSameImport } from './config.ts';
import { UNSEEN } from './state.ts';
import { TEAM_LABEL } from './team.ts';
import { EVERYONE } from '../ports/store.ts';
import { TEAM_ACCOUNT } from '../ports/team.ts';

export type SealedColumn = 'access_token' | 'refresh_token' | 'cookies';
/** The access_token of a cookie connection. reference: Connections */
export const COOKIE_SENTINEL = 'cookie-auth';

export interface NewConnection {
  /** Absent when the credential is a cookie session. */
  accessToken?: string;
  refreshToken?: string | null;
  expiresAt?: number | null;
  scopes?: string | null;
  cookies?: string | null;
  /** When absent, the config of the stored connection stays. */
  config?: ConnectionConfig;
  /** When absent, the way is that of the integration. */
  way?: Way | null;
  /** What is known of the credential. Nothing when absent. */
  state?: CredentialState;
  /** The label of the account, where the person has said which one to renew or to add. */
  account?: string | undefined;
  /**
   * The account that had the label when the person began; null where none had it. The credential is stored under a free
   * label where another account has taken it meanwhile. Absent: the label decides, as it is now.
   */
  meant?: BoundAccount | null;
  /** What the gateway calls the account if it is a new one. A name is made when it is absent. */
  newAccount?: string | undefined;
}

export interface Saved {
  /** The label of the account that was renewed although the person has named another one; null otherwise. */
  other: string | null;
}

type Listener = (userId: string, integration: string) => Promise<void>;

export interface Vault {
  /**
   * Stores a connection and notifies the agent that may be waiting for it. The account that the person has connected
   * before is renewed, another one is added. Throws 409 when the person has too many, and `OtherAccount` when the
   * credential is not that of the account that they have named.
   */
  save(userId: string, integration: string, connection: NewConnection): Promise<Saved>;
  /** Like `save`, but throws 409 when the account has been stored again since `seen`, the accounts of the integration. */
  replace(
    seen: readonly Connection[],
    userId: string,
    integration: string,
    connection: NewConnection,
  ): Promise<Saved>;
  /**
   * Stores the connection of the team, or replaces it, in the name of an administrator. Throws 409 when it has been stored
   * again since `seen`, what was stored of the integration for everyone.
   */
  saveForTeam(
    by: string,
    integration: string,
    connection: NewConnection,
    seen?: readonly Connection[],
  ): Promise<void>;
  /** The listener runs before a connection is stored. Nothing is stored when it throws. */
  onSaving(listener: Listener): void;
  /** The listener runs after a connection was stored, and before the agent that may be waiting is told. */
  onSaved(listener: Listener): void;
  /** Null when the column is empty or no key opens it. */
  open(connection: Connection, column: SealedColumn): Promise<string | null>;
  seal(text: string | null, key: ConnectionKey, column: SealedColumn): Promise<string | null>;
}

export function createVault({
  store,
  seal,
  clock,
  digest,
  log,
  pending,
  random,
}: Pick<Ports, 'store' | 'clock' | 'digest' | 'log' | 'pending' | 'random'> & { seal: Seal }): Vault {
  const sealInto: Vault['seal'] = async (text, key, column) =>
    text === null ? null : seal.seal(text, placeOf(key, column));

  const beforeSaving: Listener[] = [];
  const afterSaving: Listener[] = [];

  async function put(
    seen: readonly Connection[] | null,
    userId: string,
    integration: string,
    connection: NewConnection,
  ): Promise<Saved> {
    for (const listener of beforeSaving) await listener(userId, integration);
    const saved = await renewOrAdd(seen, userId, integration, connection);
    for (const listener of afterSaving) await listener(userId, integration);
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
    for (const listener of beforeSaving) await listener(EVERYONE, integration);
    const key = { user_id: EVERYONE, integration, account: TEAM_ACCOUNT };
    const row = await sealRow(key, connection);
    const current = await store.connections.get(EVERYONE, integration, TEAM_ACCOUNT);
    if (seen !== undefined && !holdsSame(findAccount(seen, TEAM_ACCOUNT), current)) throw changed();
    await store.team.save({ ...row, label: TEAM_LABEL }, { connected_by: by, connected_at: row.created_at });
    for (const listener of afterSaving) await listener(EVERYONE, integration);
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
    onSaving: (listener) => void beforeSaving.push(listener),
    onSaved: (listener) => void afterSaving.push(listener),

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

/** The place of a sealed column. That of the first account is the one of version 0.1. */
export const placeOf = ({ user_id, integration, account }: ConnectionKey, column: SealedColumn): Place => [
  user_id,
  account === FIRST_ACCOUNT ? integration : `${integration} ${account}`,
  column,
];

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
