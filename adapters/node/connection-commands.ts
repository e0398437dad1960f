// What npm run connections does. It uses the same code as the API. reference: Several accounts
import { changeAccount } from '../../src/connections/account-routes.ts';
import { labelsOf } from '../../src/connections/model/accounts.ts';
import type { Disconnected } from '../../src/connections/model/disconnects.ts';
import { meantAccount, meantAccounts } from '../../src/connections/model/meant-accounts.ts';
import type { AccountState } from '../../src/connections/operations.ts';
import { showAccounts } from '../../src/connections/show-accounts.ts';
import { showState } from '../../src/connections/show-state.ts';
import type { Deps } from '../../src/deps.ts';
import type { Integration } from '../../src/kit/integration.ts';
import type { Connection, User } from '../../src/ports/records.ts';

interface Place {
  deps: Deps;
  user: User;
}

/** What a command has done. `text` is for people. */
interface Answer {
  json: unknown;
  text: string;
}

export type Work = (place: Place) => Promise<Answer>;

interface Listed extends AccountState {
  integration: string;
  cause?: string;
  /** Unix seconds. */
  checkedAt?: number;
  /** Whether the person has several accounts of the integration. */
  isOneOfSeveral: boolean;
}

const HEAD = ['INTEGRATION', 'ACCOUNT', 'USED FOR', 'STATUS', 'LAST CHECK (UTC)'];

export const list =
  (name: string | undefined): Work =>
  async (place) => {
    const { deps, user } = place;
    if (name !== undefined) await requireConnected(place, name);
    const stored = await deps.store.connections.list(user.id);
    const listed: Listed[] = [];
    for (const [integration, rows] of Map.groupBy(stored, (row) => row.integration))
      if (name === undefined || integration === name) listed.push(...(await describeRows(place, rows)));
    const json = listed.map(({ isOneOfSeveral: _, ...account }) => account);
    return {
      json,
      text: listed.length === 0 ? `${user.email} has connected nothing.` : tableOf(listed.map(lineOf)),
    };
  };

async function describeRows({ deps, user }: Place, rows: readonly Connection[]): Promise<Listed[]> {
  const states = showAccounts(rows);
  const listed: Listed[] = [];
  for (const [at, row] of rows.entries()) {
    const state = states[at];
    if (state === undefined) continue;
    const integration = await deps.registries.integration(user.id, row.integration);
    // The integration of a row may be gone, for example one that a newer version no longer has.
    const described = integration === null ? null : await showState(integration, row, deps);
    const { status = state.status, cause, checkedAt } = described ?? {};
    listed.push({
      integration: row.integration,
      ...state,
      status,
      ...(cause === undefined ? {} : { cause }),
      ...(checkedAt === undefined ? {} : { checkedAt }),
      isOneOfSeveral: rows.length > 1,
    });
  }
  return listed;
}

export const rename =
  (name: string, account: string, label: string): Work =>
  async (place) => {
    const { deps, integration, row } = await requireAccount(place, name, account);
    const changed = await changeAccount(deps.store, integration, row, { label });
    return {
      json: changed,
      text: `The account ${quote(account)} of ${integration.displayName} is called ${quote(changed.label)} now.`,
    };
  };

export const chooseDefault =
  (name: string, account: string, { use, on }: { use: 'reads' | 'writes'; on: boolean }): Work =>
  async (place) => {
    const { deps, integration, row, rows } = await requireAccount(place, name, account);
    const change = use === 'reads' ? { default: on } : { defaultForWrites: on };
    const changed = await changeAccount(deps.store, integration, row, change);
    const isUsedFor = usedFor({ ...changed, isOneOfSeveral: rows.length > 1 });
    return {
      json: changed,
      text: `${integration.displayName} uses the account ${quote(changed.label)} for: ${isUsedFor}.`,
    };
  };

export const disconnect =
  (name: string, account: string | undefined): Work =>
  async (place) => {
    const { deps, user } = place;
    const { integration, rows } = await requireConnected(place, name);
    const labels = labelsOf(rows);
    const ended: { label: string; disconnected: Disconnected }[] = [];
    for (const row of meantAccounts(integration, rows, account))
      ended.push({
        label: labels[rows.indexOf(row)] ?? '',
        disconnected: await deps.disconnects.revoke(user.id, integration, row.account),
      });
    return {
      json: ended.map(({ label, disconnected }) => ({ integration: name, label, ...disconnected })),
      text: ended.map((each) => describeEnd(integration, each.label, each.disconnected)).join('\n'),
    };
  };

function describeEnd(
  { displayName }: Integration,
  label: string,
  { revoked, removeAt }: Disconnected,
): string {
  const at = removeAt === undefined ? `at ${displayName} itself` : `at ${removeAt}`;
  const what = {
    done: `${displayName} has ended the access.`,
    'not-offered': `The gateway cannot end the access at ${displayName}. The person can remove it ${at}`,
    pending: `${displayName} has not ended the access yet. A running gateway tries again for a day. The person can remove it ${at}`,
  }[revoked];
  return `${revoked}: ${displayName}, account ${quote(label)}, is disconnected. ${what}`;
}

async function requireAccount(place: Place, name: string, account: string) {
  const { integration, rows } = await requireConnected(place, name);
  return { deps: place.deps, integration, rows, row: meantAccount(integration, rows, account) };
}

/** The integration, of which the person has an account. */
async function requireConnected(
  { deps, user }: Place,
  name: string,
): Promise<{ integration: Integration; rows: Connection[] }> {
  const integration = await deps.registries.integration(user.id, name);
  const stored = await deps.store.connections.list(user.id);
  const rows = stored.filter((row) => row.integration === name);
  if (integration === null) throw notConnected(`There is no integration ${quote(name)}.`, user, stored);
  if (rows.length === 0) throw notConnected(`${integration.displayName} is not connected.`, user, stored);
  return { integration, rows };
}

function notConnected(problem: string, { email }: User, stored: readonly Connection[]): Error {
  const names = [...new Set(stored.map((row) => quote(row.integration)))].join(', ');
  return new Error(
    `${problem} ${names === '' ? `${email} has connected nothing.` : `${email} has connected ${names}.`}`,
  );
}

function lineOf(account: Listed): string[] {
  const { integration, label, status, checkedAt } = account;
  const checked =
    checkedAt === undefined
      ? 'never'
      : new Date(checkedAt * 1000).toISOString().slice(0, 16).replace('T', ' ');
  return [integration, label, usedFor(account), status, checked];
}

function usedFor({
  default: forReads,
  defaultForWrites: forWrites,
  isOneOfSeveral,
}: Pick<Listed, 'default' | 'defaultForWrites' | 'isOneOfSeveral'>): string {
  if (!isOneOfSeveral) return 'all calls';
  const uses = [...(forReads ? ['reads'] : []), ...(forWrites ? ['writes'] : [])];
  return uses.length === 0 ? 'calls that name it' : uses.join(' and ');
}

function tableOf(lines: readonly string[][]): string {
  const all = [HEAD, ...lines];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const quote = (name: string): string => JSON.stringify(name);
