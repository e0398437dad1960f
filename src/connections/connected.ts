// Finds out which of a person's connections can serve tools. The answer is computed on demand, never stored. reference: Connections
import type { Integration } from '../kit/integration.ts';
import type { Config } from '../config/config.ts';
import type { Ports } from '../ports/ports.ts';
import type { Vault } from './vault.ts';
import type { Connection } from '../ports/records.ts';
import { chooseAccount, type NoAccount, type Wanted } from './accounts.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import { belongsTo } from './config.ts';
import { hasLiveCookie } from './cookies/cookies.ts';
import { createCredentialOpener, type CredentialCache } from './open-credential.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { integrationPage } from './ways.ts';

/** `account` is the label of the account where the person has several. */
export type Found =
  | { kind: 'connected'; connection: Connection; account?: string }
  | { kind: 'not-connected'; account?: string }
  | NoAccount;

export interface Connected {
  /** The account that a call uses, when it can serve tools. The first upstream call can use this row. */
  find(userId: string, integration: Integration, wanted: Wanted): Promise<Found>;
  /** The account that a call uses, whether it can serve tools or not. Null when nothing is stored. */
  choose(
    userId: string,
    integration: Integration,
    wanted: Wanted,
  ): Promise<{ kind: 'chosen'; connection: Connection; account?: string } | NoAccount | null>;
  /** Whether the integration can serve tools. An integration without sign-in always can. */
  one(userId: string, integration: Integration): Promise<boolean>;
  /** The names of the integrations that can serve tools, with one read of the store. */
  all(userId: string, integrations: readonly Integration[]): Promise<ReadonlySet<string>>;
}

/** The text that agents and scripts read beside NOT_CONNECTED. */
export function howToConnect(
  { name, displayName, auth }: Integration,
  { PORTAL_URL }: Pick<Config, 'PORTAL_URL'>,
): string {
  return auth.type === 'apikey'
    ? `${displayName} is not connected. Its API key can only be entered by the person. Call connect with integration "${name}" and show the person the url, or the person enters it at ${PORTAL_URL}.`
    : `${displayName} is not connected. Call connect with integration "${name}", or connect it at ${PORTAL_URL}.`;
}

/** The text beside an error when the provider no longer accepts the credential. */
export function howToReconnect(
  { name, displayName, auth }: Integration,
  config: Pick<Config, 'PORTAL_URL'>,
): string {
  const page = integrationPage(name, config);
  return auth.type === 'apikey'
    ? `${displayName} did not accept the stored API key. The person can replace it at ${page}.`
    : `${displayName} did not accept the stored sign-in. Call connect with integration "${name}" and show the person the url, or the person reconnects it at ${page}.`;
}

export const codeOfChoice = ({ kind }: NoAccount) =>
  kind === 'unknown' ? ErrorCode.UNKNOWN_ACCOUNT : ErrorCode.AMBIGUOUS_ACCOUNT;

/** The text beside AMBIGUOUS_ACCOUNT and UNKNOWN_ACCOUNT. */
export function howToChoose({ displayName }: Integration, { kind, labels }: NoAccount): string {
  const names = labels.map((label) => JSON.stringify(label)).join(', ');
  return kind === 'unknown'
    ? `${displayName} has no account of that name. The accounts are ${names}.`
    : `${displayName} has several accounts, and this call may change something. Say in "account" which one is meant: ${names}. Ask the person when you do not know.`;
}

type Needs = Pick<Ports, 'store' | 'clock'> & { openedCredentials: CredentialCache; vault: Vault };

export function createConnected({ store, clock, openedCredentials, vault }: Needs): Connected {
  const opener = createCredentialOpener({ clock, openedCredentials, vault });

  async function canServe(integration: Integration, connection: Connection): Promise<boolean> {
    if (!belongsTo(connection, integration)) return false;
    if (integration.auth.type !== 'cookie') return connection.access_token !== null;
    const readiness = await opener.open(connection, integration);
    return (
      readiness.kind === 'ready' &&
      readiness.credential.kind === 'cookies' &&
      hasLiveCookie(readiness.credential, clock.now())
    );
  }

  async function isAny(integration: Integration, rows: readonly Connection[]): Promise<boolean> {
    for (const row of rows) if (await canServe(integration, row)) return true;
    return false;
  }

  // Calls of one turn of the event loop share a read of their accounts.
  const accounts = createSharePerTick(clock, (key) => {
    const [userId = '', integration = ''] = key.split(' ');
    return store.connections.of(userId, integration);
  });

  function chooseFrom(stored: readonly Connection[], integration: Integration, wanted: Wanted) {
    const choice = chooseAccount(
      stored.length === 1 ? stored : stored.filter((row) => belongsTo(row, integration)),
      wanted,
    );
    switch (choice.kind) {
      case 'none':
        return null;
      case 'chosen': {
        const { kind, connection, label } = choice;
        return label === null ? { kind, connection } : { kind, connection, account: label };
      }
      default:
        return choice;
    }
  }

  return {
    choose: async (userId, integration, wanted) =>
      chooseFrom(await accounts.read(`${userId} ${integration.name}`), integration, wanted),

    async find(userId, integration, wanted) {
      // A read that fails must fail one item of a batch only, so this one is not shared.
      const stored = await store.connections.of(userId, integration.name);
      const choice = chooseFrom(stored, integration, wanted);
      if (choice === null) return { kind: 'not-connected' };
      if (choice.kind !== 'chosen') return choice;
      const { connection, ...named } = choice;
      return (await canServe(integration, connection))
        ? { ...named, kind: 'connected', connection }
        : { ...named, kind: 'not-connected' };
    },

    async one(userId, integration) {
      if (integration.auth.type === 'none') return true;
      return isAny(integration, await store.connections.of(userId, integration.name));
    },

    async all(userId, integrations) {
      const names = new Set<string>();
      const rows = integrations.every(({ auth }) => auth.type === 'none')
        ? []
        : await store.connections.list(userId);
      const byName = Map.groupBy(rows, (row) => row.integration);
      for (const integration of integrations) {
        const isNamed =
          integration.auth.type === 'none' || (await isAny(integration, byName.get(integration.name) ?? []));
        if (isNamed) names.add(integration.name);
      }
      return names;
    },
  };
}
