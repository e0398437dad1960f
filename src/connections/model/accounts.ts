// Tells the accounts of one integration apart, and which of them a call uses. reference: Several accounts; decision: 028
import type { Access } from '../../kit/access.ts';
import { HttpError } from '../../http/errors.ts';
import { shownText } from '../../kit/shown-text.ts';
import { type Connection, type ConnectionKey, FIRST_ACCOUNT } from '../../ports/records.ts';
import { TEAM_LABEL } from './team.ts';
import { INSTANCE, readConfigOf } from './config.ts';

export const MAX_LABEL_CHARACTERS = 64;
/** The label of an account that neither the person nor the provider has named. */
const UNNAMED = 'Account';

/** The account that a call asks for. */
export interface Wanted {
  /** A label. Absent leaves the choice to the defaults of the person. */
  account?: string | undefined;
  /** The account that the caller is bound to, whatever it is called. */
  bound?: BoundAccount | undefined;
  /** Whether a call that names no account may only use the team connection where the person has chosen that. */
  onlyOwn?: boolean;
  /** What the call can do at most. */
  access: Access;
}

/** Names one account until it is disconnected. An account that is connected later is another one. */
export type BoundAccount = Pick<Connection, 'account' | 'created_at'>;

export type Choice =
  /** `label` is null where the person has one account only. */
  { kind: 'chosen'; connection: Connection; label: string | null } | { kind: 'none' } | NoAccount;

/** The call has to name its account. `unknown`: no account has the label that it names. */
export interface NoAccount {
  kind: 'ambiguous' | 'unknown';
  labels: readonly string[];
}

/** `rows` are the accounts of one integration, the oldest first. */
export function chooseAccount(rows: readonly Connection[], { account, bound, access }: Wanted): Choice {
  if (bound !== undefined) return chooseBound(rows, bound);
  const [first] = rows;
  if (first === undefined) return { kind: 'none' };
  // Nothing is worked out for a person with one account.
  if (rows.length === 1 && account === undefined) return { kind: 'chosen', connection: first, label: null };
  const labels = labelsOf(rows);
  const at = account === undefined ? indexOfDefault(rows, access) : labels.indexOf(account);
  const connection = rows[at];
  if (connection === undefined) return { kind: account === undefined ? 'ambiguous' : 'unknown', labels };
  return { kind: 'chosen', connection, label: rows.length === 1 ? null : (labels[at] ?? null) };
}

function chooseBound(rows: readonly Connection[], bound: BoundAccount): Choice {
  const at = rows.findIndex((row) => row.account === bound.account && row.created_at === bound.created_at);
  const connection = rows[at];
  if (connection === undefined) return { kind: 'none' };
  return { kind: 'chosen', connection, label: rows.length === 1 ? null : (labelsOf(rows)[at] ?? null) };
}

/** -1 where a call that changes something has to name its account. */
function indexOfDefault(rows: readonly Connection[], access: Access): number {
  return access === 'read'
    ? Math.max(
        0,
        rows.findIndex((row) => row.is_default),
      )
    : rows.findIndex((row) => row.is_write_default);
}

/** The account that calls use when they only read and name none. */
export const defaultOf = (rows: readonly Connection[]): Connection | null =>
  rows[indexOfDefault(rows, 'read')] ?? null;

/** The label of each account: its own, else one that is made of what the provider calls it. No two are the same. */
export function labelsOf(rows: readonly Connection[]): string[] {
  const taken = new Set(rows.flatMap(({ label }) => label ?? []));
  return rows.map((row) => {
    if (row.label !== null) return row.label;
    const label = freeLabel(row, taken);
    taken.add(label);
    return label;
  });
}

/** A name for the stored credential of an account. None of its parts has a space. */
export const nameOf = ({ user_id, integration, account }: ConnectionKey): string =>
  account === FIRST_ACCOUNT ? `${user_id} ${integration}` : `${user_id} ${integration} ${account}`;

type Named = Pick<Connection, 'account_id' | 'account_label'>;

/** Makes a label for the account. No other account has it: the labels of the others are `taken`. */
export function freeLabel({ account_id, account_label }: Named, taken: ReadonlySet<string>): string {
  const name = readLabel(account_label ?? '') ?? readLabel(account_id ?? '') ?? UNNAMED;
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const label = name.slice(0, MAX_LABEL_CHARACTERS - suffix.length).toWellFormed() + suffix;
    if (!taken.has(label)) return label;
  }
}

/** Cleans a text so that it can be stored as a label. Returns null when no character is left. */
export function readLabel(text: string): string | null {
  return shownText(text.normalize('NFC').slice(0, MAX_LABEL_CHARACTERS).replace(/\s+/g, ' '));
}

/** Names an account to the people who change it: by the provider's own id, where that names one account only. */
export function publicIdOf(row: Connection, rows: readonly Connection[]): string {
  const isOnly = rows.filter(({ account_id }) => account_id === row.account_id).length === 1;
  if (row.account_id !== null && isOnly) return row.account_id;
  return row.account === FIRST_ACCOUNT ? 'first' : row.account;
}

/** Quotes a label in a sentence. */
export const quoteLabel = (label: string): string => JSON.stringify(label);

/** Answers 400 to a text that cannot be a label as it is. */
export function requireLabel(text: string): string {
  const label = text.trim().normalize('NFC');
  if (label.toLowerCase() === TEAM_LABEL)
    throw new HttpError(400, {
      error: `“${label}” is the name of the team connection. Choose another name.`,
    });
  if (label === '' || label.length > MAX_LABEL_CHARACTERS || readLabel(label) !== label)
    throw new HttpError(400, {
      error: `The name of an account has 1 to ${MAX_LABEL_CHARACTERS} characters, and none that cannot be seen`,
    });
  return label;
}

/** An account whose credential is to be stored. */
export interface NewAccount extends Named {
  config: string | null;
  /** The label of the account to renew or to add. Absent where the person has not said. */
  wanted?: string | undefined;
  /** The account that had the label when the person began; null where none had it. Absent: the one that has it now. */
  meant?: BoundAccount | null | undefined;
}

/** Answers 409 to a credential whose account is another one than the person has named. */
export class OtherAccount extends HttpError {
  readonly named: string;
  readonly found: string;

  constructor(named: string, found: string) {
    const [one, other] = [quoteLabel(found), quoteLabel(named)];
    super(409, {
      error: `This belongs to the account ${one} and not to ${other}, so nothing was changed. Give the credential of ${other}, or connect ${one} without a name.`,
    });
    this.named = named;
    this.found = found;
  }
}

/** The stored account that the person has named; null where they have named none, or a new one. */
export function namedAccount(
  rows: readonly Connection[],
  { wanted, meant }: Pick<NewAccount, 'wanted' | 'meant'>,
): Connection | null {
  if (wanted === undefined || meant === null) return null;
  const isNamed = (row: Connection) => row.account === meant?.account && row.created_at === meant.created_at;
  const named = meant === undefined ? rows[labelsOf(rows).indexOf(wanted)] : rows.find(isNamed);
  return named ?? null;
}

/**
 * The account that a new credential renews; null where it belongs to another one. The provider's own id decides. Without
 * ids it is the account that the person names, or the only one.
 */
export function accountToRenew(rows: readonly Connection[], next: NewAccount): Connection | null {
  const { account_id, wanted } = next;
  const same = rows.find((row) => account_id !== null && isSameAccount(row, next));
  if (same !== undefined) return same;
  const isOpen = (row: Connection) => account_id === null || row.account_id === null;
  if (wanted !== undefined) {
    const named = namedAccount(rows, next);
    return named !== null && isOpen(named) ? named : null;
  }
  const [only] = rows;
  return only !== undefined && rows.length === 1 && isOpen(only) ? only : null;
}

/**
 * Like `accountToRenew`, but throws when the person has named another account, or a new one. `other` is the label of the
 * account that would be renewed instead.
 */
export function requireOwnAccount(
  rows: readonly Connection[],
  next: NewAccount,
): { renewed: Connection | null; other: string | null } {
  const renewed = accountToRenew(rows, next);
  const named = namedAccount(rows, next);
  const labels = labelsOf(rows);
  const found = renewed === null ? null : (labels[rows.indexOf(renewed)] ?? null);
  // A grant is kept in the account that it belongs to, because the grant before it may have ended.
  if (named !== null && renewed !== named && (renewed === null || next.meant === undefined))
    throw new OtherAccount(labels[rows.indexOf(named)] ?? '', found ?? freeLabel(next, new Set()));
  return { renewed, other: next.wanted === undefined || renewed === named ? null : found };
}

/** An id means nothing without the instance that has given it. */
function isSameAccount(row: Connection, { account_id, config }: NewAccount): boolean {
  return row.account_id === account_id && (config === null || instanceOf(row) === instanceOf({ config }));
}

export const instanceOf = (row: Pick<Connection, 'config'>): string => readConfigOf(row)[INSTANCE] ?? '';
