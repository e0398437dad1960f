// Finds out which of a person's connections can serve tools. The answer is computed on demand, never stored. reference: Connections
import type { Integration } from '../../kit/integration.ts';
import type { Auth } from '../../kit/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from './vault.ts';
import { describe } from '../../http/errors.ts';
import { type Access, isWithin } from '../../kit/access.ts';
import { type Actor, serviceKeyIdOf } from '../../kit/actor.ts';
import type { AccountOwner, Connection } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import { TEAM_ACCOUNT, type TeamConnection } from '../../ports/team.ts';
import { type Choice, chooseAccount, labelsOf, type NoAccount, type Wanted } from './accounts.ts';
import { createSharePerTick } from '../../memory/share-per-tick.ts';
import { belongsTo } from './config.ts';
import { hasLiveCookie } from './cookies.ts';
import { createCredentialOpener, type CredentialCache } from './open-credential.ts';
import { ErrorCode } from '../../http/error-codes.ts';
import { prefersTeam, TEAM_LABEL } from './team.ts';
import { exchangeOf, integrationPage } from './ways.ts';

/** `account` is the label of the account where the person has several. */
export type Found =
  | ({ kind: 'connected'; connection: Connection } & NamedAccount)
  | ({ kind: 'not-connected' } & NamedAccount)
  | OverCeiling
  | NoAccount;

/** `account` is the label of the account where the person has several, and that of the team connection. */
interface NamedAccount {
  account?: string;
  /** Set where the account is not the person's own. */
  owner?: AccountOwner;
}

type Chosen =
  /** `isOnly`: the team connection stands in for a person who has no account of their own. */
  ({ kind: 'chosen'; connection: Connection; isOnly?: boolean } & NamedAccount) | OverCeiling | NoAccount;

/** The team connection may be used, but not for as much as the call can do. */
interface OverCeiling {
  kind: 'over-ceiling';
  ceiling: Access;
}

export interface Connected {
  /** The account that a call uses, when it can serve tools. The first upstream call can use this row. */
  find(userId: string, integration: Integration, wanted: Wanted): Promise<Found>;
  /** The account that a call uses, whether it can serve tools or not. Null when nothing is stored. */
  choose(userId: string, integration: Integration, wanted: Wanted): Promise<Chosen | null>;
  /** Whether the integration can serve tools. An integration without sign-in always can. */
  one(userId: string, integration: Integration): Promise<boolean>;
  /** The same for each of several integrations, with the labels to choose from where a call may name one of several accounts. */
  each(
    userId: string,
    integrations: readonly Integration[],
  ): Promise<ReadonlyMap<string, { isServed: boolean; labels: readonly string[] }>>;
  /** The names of the integrations that can serve tools, with one read of the store. */
  all(userId: string, integrations: readonly Integration[]): Promise<ReadonlySet<string>>;
}

/** What the person has entered, or has to enter. */
const enteredFor = (auth: Auth): string =>
  exchangeOf({ auth }) === undefined ? 'API key' : 'client ID and secret';

type Addresses = Pick<Config, 'PORTAL_URL' | 'SERVER_PUBLIC_URL'>;

/** The text that agents and scripts read beside NOT_CONNECTED. */
export function howToConnect(
  { name, displayName, auth }: Integration,
  { PORTAL_URL, SERVER_PUBLIC_URL }: Addresses,
  actor: Pick<Actor, 'id'>,
): string {
  if (serviceKeyIdOf(actor) !== null)
    return `${displayName} is not connected for this user. ${howToLink({ name, auth }, SERVER_PUBLIC_URL)}`;
  return auth.type === 'apikey'
    ? `${displayName} is not connected. Its ${enteredFor(auth)} can only be entered by the person. Call connect with integration "${name}" and show the person the url, or the person enters it at ${PORTAL_URL}.`
    : `${displayName} is not connected. Call connect with integration "${name}", or connect it at ${PORTAL_URL}.`;
}

/** The text beside an error when the provider no longer accepts the credential. */
export function howToReconnect(
  { name, displayName, auth }: Integration,
  config: Addresses,
  actor: Pick<Actor, 'id'>,
): string {
  if (serviceKeyIdOf(actor) !== null)
    return `${displayName} no longer accepts the account of this user. ${howToLink({ name, auth }, config.SERVER_PUBLIC_URL)}`;
  const page = integrationPage(name, config);
  return auth.type === 'apikey'
    ? `${displayName} did not accept the stored ${enteredFor(auth)}. The person can replace it at ${page}.`
    : `${displayName} did not accept the stored sign-in. Call connect with integration "${name}" and show the person the url, or the person reconnects it at ${page}.`;
}

/** A user of a product has no portal: its agent or its product makes a link. reference: Connect links of actors */
function howToLink({ name, auth }: Pick<Integration, 'name' | 'auth'>, base: string): string {
  if (auth.type !== 'oauth2' && auth.type !== 'apikey')
    return 'The users of a product cannot connect it. The administrator of the gateway can take it out of the service key.';
  return `Call connect with integration "${name}" and show the user the url, or the product makes a link for the user's browser: POST ${base}/api/actors/{externalId}/connect-links {"integration": "${name}", "returnTo": "<an address of the service key>"}. It is createActorLink in ${base}/openapi.json.`;
}

export const codeOfChoice = ({ kind }: NoAccount) =>
  kind === 'unknown' ? ErrorCode.UNKNOWN_ACCOUNT : ErrorCode.AMBIGUOUS_ACCOUNT;

/** The answer to a label where the integration needs no sign-in. */
export const WITHOUT_ACCOUNTS: NoAccount = { kind: 'unknown', labels: [] };

/** The text beside AMBIGUOUS_ACCOUNT and UNKNOWN_ACCOUNT. */
export function howToChoose({ displayName }: Integration, { kind, labels }: NoAccount): string {
  if (labels.length === 0)
    return `${displayName} needs no sign-in, so it has no accounts. Leave "account" out of the call.`;
  const names = labels.map((label) => JSON.stringify(label)).join(', ');
  return kind === 'unknown'
    ? `${displayName} has no account of that name. The accounts are ${names}.`
    : `${displayName} has several accounts, and this call may change something. Say in "account" which one is meant: ${names}. Ask the person when you do not know.`;
}

/** When this process last noted the use of each team connection. There are never more than integrations. */
export type TeamUses = Map<string, number>;

type Needs = Pick<Ports, 'store' | 'clock' | 'log'> & {
  teamUses: TeamUses;
  openedCredentials: CredentialCache;
  vault: Vault;
};

export function createConnected({ store, clock, log, openedCredentials, teamUses, vault }: Needs): Connected {
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

  /** Whether some call can be served: by an account of the person, or by the team connection where calls would use it. */
  async function isServed(
    integration: Integration,
    stored: readonly Connection[],
    findTeam: () => Promise<Connection | null>,
  ): Promise<boolean> {
    const own = stored.filter((row) => belongsTo(row, integration));
    if (await isAny(integration, own)) return true;
    if (own.some(({ team_use }) => team_use !== null) || own.length === 0) {
      const team = await findTeam();
      return team !== null && canServe(integration, team);
    }
    return false;
  }

  // Calls of one turn of the event loop share a read of their accounts.
  const accounts = createSharePerTick(clock, (key) => {
    const [userId = '', integration = ''] = key.split(' ');
    return store.connections.of(userId, integration);
  });

  const reachable = createSharePerTick(clock, (userId) => store.team.reachable(userId));

  /** The team connection is read only where the person's own accounts do not decide. */
  function chooseFrom(
    userId: string,
    stored: readonly Connection[],
    integration: Integration,
    wanted: Wanted,
  ): Chosen | null | Promise<Chosen | null> {
    const own = stored.filter((row) => belongsTo(row, integration));
    const { account, bound, access } = wanted;
    const isBoundToTeam = bound?.account === TEAM_ACCOUNT;
    const isPreferred = bound === undefined && account === undefined && prefersTeam(own, access);
    const choice = chooseAccount(own, wanted);
    if (choice.kind === 'chosen' && !isPreferred) return named(choice);
    const isOwnOnly = bound !== undefined || (wanted.onlyOwn === true && account === undefined);
    if (isOwnOnly && !isBoundToTeam && !isPreferred) return choice.kind === 'none' ? null : named(choice);
    return usableTeam(userId, integration).then((team): Chosen | null => {
      if (isBoundToTeam)
        return team?.connection.created_at === bound.created_at ? useTeam(team, access) : null;
      if (team === null) return choice.kind === 'none' ? null : named(choice);
      if (isPreferred || account === TEAM_LABEL || (choice.kind === 'none' && account === undefined))
        return useTeam(team, access, choice.kind === 'none');
      return {
        kind: choice.kind === 'ambiguous' ? 'ambiguous' : 'unknown',
        labels: [...labelsOf(own), TEAM_LABEL],
      };
    });
  }

  async function usableTeam(userId: string, integration: Integration): Promise<TeamConnection | null> {
    // Everyone's own account is the team connection itself.
    if (userId === EVERYONE) return null;
    const team = await store.team.usable(userId, integration.name);
    return team !== null && belongsTo(team.connection, integration) ? team : null;
  }

  function useTeam({ connection, access: ceiling }: TeamConnection, access: Access, isOnly = false): Chosen {
    if (!isWithin(access, ceiling)) return { kind: 'over-ceiling', ceiling };
    noteUse(connection.integration);
    return { kind: 'chosen', connection, account: TEAM_LABEL, owner: 'team', isOnly };
  }

  /** The call does not wait for this write. When the write fails, administrators see an older time. */
  function noteUse(integration: string): void {
    const now = clock.now();
    if (now - (teamUses.get(integration) ?? 0) < USE_SECONDS) return;
    teamUses.set(integration, now);
    store.team.noteUse(integration, now).catch((error: unknown) => {
      log.write('warn', 'the use of a team connection was not noted', describe(error));
    });
  }

  const each: Connected['each'] = async (userId, integrations) => {
    const found = new Map<string, { isServed: boolean; labels: readonly string[] }>();
    const { own, team } = integrations.every(({ auth }) => auth.type === 'none')
      ? { own: [], team: [] }
      : await reachable.read(userId);
    const byName = Map.groupBy(own, (row) => row.integration);
    const ofTeam = new Map(team.map(({ connection }) => [connection.integration, connection]));
    for (const integration of integrations) {
      const { auth, name } = integration;
      const rows = byName.get(name) ?? [];
      const shared = ofTeam.get(name) ?? null;
      const serves = auth.type === 'none' || (await isServed(integration, rows, async () => shared));
      const labels = shared === null ? labelsOf(rows) : [...labelsOf(rows), TEAM_LABEL];
      found.set(name, { isServed: serves, labels: labels.length > 1 ? labels : [] });
    }
    return found;
  };

  return {
    choose: async (userId, integration, wanted) =>
      chooseFrom(userId, await accounts.read(`${userId} ${integration.name}`), integration, wanted),

    async find(userId, integration, wanted) {
      // A read that fails must fail one item of a batch only, so this one is not shared.
      const stored = await store.connections.of(userId, integration.name);
      const choice = await chooseFrom(userId, stored, integration, wanted);
      if (choice === null) return { kind: 'not-connected' };
      if (choice.kind !== 'chosen') return choice;
      const { connection, ...rest } = choice;
      return (await canServe(integration, connection))
        ? { ...rest, kind: 'connected', connection }
        : { ...rest, kind: 'not-connected' };
    },

    async one(userId, integration) {
      if (integration.auth.type === 'none') return true;
      const stored = await store.connections.of(userId, integration.name);
      return isServed(
        integration,
        stored,
        async () => (await usableTeam(userId, integration))?.connection ?? null,
      );
    },

    each,

    async all(userId, integrations) {
      const found = await each(userId, integrations);
      return new Set([...found].flatMap(([name, { isServed: serves }]) => (serves ? name : [])));
    },
  };
}

/** The administrators' list shows minutes. */
const USE_SECONDS = 60;

function named(choice: Exclude<Choice, { kind: 'none' }>): Chosen {
  if (choice.kind !== 'chosen') return choice;
  const { kind, connection, label } = choice;
  return label === null ? { kind, connection } : { kind, connection, account: label };
}
