// Ends grants at their providers, and sees to it that they have ended. decision: 101
import * as z from 'zod';
import type { Seal } from '../../crypto/seal.ts';
import type { Egress } from '../../egress/door.ts';
import { describe } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  type Connection,
  type ConnectionKey,
  FIRST_ACCOUNT,
  type PendingRevocation,
} from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { Checks } from '../check.ts';
import { readConfigOf } from '../config.ts';
import { parseCredential } from '../credential.ts';
import { forgetAccount } from '../cookies/sign-in-account.ts';
import { type Disconnected, type Disconnects, outliveSecond, removeAt } from '../disconnect.ts';
import { type DynamicProviders, findProvider } from '../oauth/provider.ts';
import type { RegisteredClients } from '../oauth/registered-clients.ts';
import { LEASE_SECONDS, refreshLease } from '../oauth/tokens.ts';
import { parseStoredJson } from '../stored-json.ts';
import type { Vault } from '../vault.ts';
import type { SendProbe } from './probe.ts';
import { createGrants } from './grants.ts';
import {
  type EndingGrant,
  requestAt,
  type RevokeAnswer,
  type RevokeRequest,
  revokeGrant,
} from './revoke-grant.ts';

const Kept = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  expiresAt: z.number().nullable(),
  accountId: z.string().nullable(),
  accountLabel: z.string().nullable(),
  config: z.record(z.string(), z.string()),
});
type Kept = z.infer<typeof Kept>;

/** From best to worst. For several accounts the worst is reported. */
const ORDER: readonly Disconnected['revoked'][] = ['done', 'not-offered', 'pending'];
const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 3_600;
const GIVE_UP_SECONDS = 24 * 3_600;
const RETRIES_AT_ONCE = 10;
const MAX_ATTEMPTS = 3;
const POLL_MS = 150;

type Needs = Pick<Ports, 'browser' | 'clock' | 'config' | 'log' | 'random' | 'store'> & {
  checks: Checks;
  dynamicProviders: DynamicProviders;
  egress: Egress;
  registeredClients: RegisteredClients;
  registries: Registries;
  seal: Seal;
  sendProbe: SendProbe;
  vault: Vault;
};

export function createDisconnects(deps: Needs): Disconnects {
  const { browser, checks, clock, egress, log, random, registries } = deps;
  const { seal, sendProbe, store, vault } = deps;

  const grants = createGrants(deps);

  const placeOf = ({ id, user_id }: Pick<PendingRevocation, 'id' | 'user_id'>) =>
    [user_id, 'revocation', id] as const;

  /** Moves the row into the pending revocations. Null when there is nothing left to move. */
  async function begin(row: Connection): Promise<{ revocation: PendingRevocation; kept: Kept } | null> {
    const accessToken = await vault.open(row, 'access_token');
    // Nobody can end a grant whose tokens no key opens.
    if (accessToken === null) return null;
    const kept: Kept = {
      accessToken,
      refreshToken: await vault.open(row, 'refresh_token'),
      expiresAt: row.expires_at,
      accountId: row.account_id,
      accountLabel: row.account_label,
      config: readConfigOf(row),
    };
    const now = clock.now();
    const { user_id, integration } = row;
    const id = random.uuid();
    const revocation: PendingRevocation = {
      id,
      user_id,
      integration,
      credential: await seal.seal(JSON.stringify(kept), placeOf({ id, user_id })),
      attempts: 0,
      // Another process takes over when this one dies before its first attempt ends.
      due_at: now + FIRST_RETRY_SECONDS,
      expires_at: now + GIVE_UP_SECONDS,
      created_at: now,
    };
    return (await store.revocations.begin(row, revocation)) ? { revocation, kept } : null;
  }

  /** A provider of RFC 7009 may end the tokens of a grant one by one. */
  async function sendRevocation(request: RevokeRequest, grant: EndingGrant): Promise<RevokeAnswer> {
    const answer = await revokeGrant(egress, request, grant);
    const isMore = grant.provider.found !== undefined && grant.refreshToken !== null;
    return isMore && answer === 'accepted'
      ? revokeGrant(egress, request, { ...grant, refreshToken: null })
      : answer;
  }

  /** Asks the provider to end the grant, and then whether it has ended. */
  async function hasEnded(integration: Integration, kept: Kept): Promise<boolean> {
    const { auth, probe, revoke } = integration;
    if (auth.type !== 'oauth2' || (revoke?.request === undefined && auth.dynamic === undefined)) return true;
    const found = await findProvider(integration, auth, kept.config, deps);
    if (!found.ok) return false;
    const request = requestAt(integration, found.provider);
    if (request === null) return true;
    const answer = await sendRevocation(request, { ...kept, integration, provider: found.provider });
    if (answer === 'trouble') return false;
    if (probe === undefined) return answer === 'accepted';
    // An expired token is refused, whether its grant has ended or not.
    const isExpired = kept.expiresAt !== null && kept.expiresAt <= clock.now();
    if (isExpired) return answer === 'accepted';
    const credential = parseCredential(integration, kept.accessToken, 'oauth2');
    const verdict = await sendProbe({ integration, config: kept.config, credential });
    return verdict.kind === 'refused';
  }

  async function attempt(
    revocation: PendingRevocation,
    integration: Integration,
    kept: Kept,
  ): Promise<boolean> {
    try {
      if (!(await hasEnded(integration, kept))) return false;
    } catch (error) {
      log.write('warn', 'a grant could not be revoked now', {
        integration: integration.name,
        ...describe(error),
      });
      return false;
    }
    await store.revocations.delete(revocation.id);
    return true;
  }

  /** Waits for a refresh that is running, because its new tokens would not be revoked. */
  async function withoutRefresh<T>(row: Connection, work: () => Promise<T>): Promise<T> {
    if (row.refresh_token === null) return work();
    const lease = refreshLease(row);
    const deadline = clock.millis() + LEASE_SECONDS * 1000;
    for (;;) {
      const held = await withLease(deps, lease, LEASE_SECONDS, work);
      if (held !== null) return held.value;
      if (clock.millis() >= deadline) return work();
      await clock.sleep(POLL_MS);
    }
  }

  /** `leaving` are the accounts that are disconnected together. */
  async function end(
    key: ConnectionKey,
    integration: Integration,
    leaving: readonly string[],
  ): Promise<Disconnected> {
    const { user_id: userId, account } = key;
    const read = () => store.connections.get(userId, integration.name, account);
    const remove = () => store.connections.delete(userId, integration.name, account);
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const row = await read();
      if (row === null) break;
      const request = await grants.requestFor(integration, row);
      if (request === null || (await isShared(row, integration, leaving))) {
        await forgetAccount(browser, row, integration);
        await remove();
        return { revoked: 'not-offered', ...removeAt(integration, row) };
      }
      const begun = await withoutRefresh(row, async () => {
        const current = await read();
        return current === null ? null : begin(current);
      });
      if (begun !== null) {
        const isOver = await attempt(begun.revocation, integration, begun.kept);
        return isOver ? { revoked: 'done' } : { revoked: 'pending', ...removeAt(integration, row) };
      }
      if ((await vault.open(row, 'access_token')) === null) {
        await remove();
        return { revoked: 'not-offered', ...removeAt(integration, row) };
      }
    }
    const isPending = (await store.revocations.list(userId, integration.name)).length > 0;
    return { revoked: isPending ? 'pending' : 'done' };
  }

  /** Another account of the integration may hold the same grant, and goes on. */
  async function isShared(
    row: Connection,
    integration: Integration,
    leaving: readonly string[],
  ): Promise<boolean> {
    const all = await store.connections.of(row.user_id, row.integration);
    const others = [
      ...all.filter(({ account }) => !leaving.includes(account)),
      ...(await withOtherOwner(row)),
    ];
    const { account_id: accountId, account_label: accountLabel } = row;
    const former = { accountId, accountLabel, config: readConfigOf(row) };
    return others.length > 0 && grants.isInUse(others, integration, former);
  }

  /**
   * An administrator may have connected one account for the team and for themselves, and a provider ends both grants
   * together.
   */
  async function withOtherOwner({ user_id, integration }: Pick<Connection, 'user_id' | 'integration'>) {
    if (user_id !== EVERYONE) return store.connections.list(EVERYONE);
    const rule = (await store.team.rules()).find((each) => each.integration === integration);
    return rule === undefined || rule.connected_by === null ? [] : store.connections.list(rule.connected_by);
  }

  async function revokeOne(
    key: ConnectionKey,
    integration: Integration,
    leaving: readonly string[],
  ): Promise<Disconnected> {
    const { user_id: userId, account } = key;
    const stored = await store.connections.list(userId);
    const row = stored.find((each) => each.integration === integration.name && each.account === account);
    const siblings = await grants.siblings(stored);
    const shared = row === undefined ? [] : (siblings.get(row) ?? []);
    const disconnected = await end(key, integration, leaving);
    // The person may have connected again meanwhile, and that connection has the grant that has just ended.
    if (disconnected.revoked === 'done')
      await checks.now(key, integration).catch(noteUnchecked(integration.name));
    // Connections of the same grant have ended too, and their status says so at once.
    if (disconnected.revoked === 'done')
      await Promise.all(
        shared.map(async (other) => {
          const found = await registries.integration(userId, other.integration);
          if (found !== null) await checks.now(other, found).catch(noteUnchecked(other.integration));
        }),
      );
    return disconnected;
  }

  async function retryOne(revocation: PendingRevocation): Promise<void> {
    const { id, user_id, attempts } = revocation;
    const now = clock.now();
    const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts + 1), MAX_RETRY_SECONDS);
    // The process that counts the attempt makes it.
    if (!(await store.revocations.take(revocation, now + wait))) return;
    const integration = await registries.integration(user_id, revocation.integration);
    const opened = await seal.open(revocation.credential, [...placeOf(revocation)]);
    const kept = Kept.safeParse(parseStoredJson(opened ?? '')).data;
    const names = { integration: revocation.integration };
    if (integration === null || kept === undefined) {
      log.write('error', 'a grant was not revoked: its credential can no longer be used', names);
      return store.revocations.delete(id);
    }
    // A person who has connected the account again has the grant back, and revoking it would end the new connection.
    const stored = await store.connections.list(user_id);
    const others = user_id === EVERYONE ? [] : await store.connections.list(EVERYONE);
    if (await grants.isInUse([...stored, ...others], integration, kept)) {
      log.write('info', 'a grant is not revoked: the person has connected again', names);
      return store.revocations.delete(id);
    }
    if (await attempt(revocation, integration, kept)) return;
    if (revocation.expires_at > now) return;
    log.write('error', 'a grant was not revoked within a day: the provider still accepts it', names);
    await store.revocations.delete(id);
  }

  /** The daily check finds it then. */
  const noteUnchecked = (name: string) => (error: unknown) =>
    log.write('warn', 'a connection could not be checked', { integration: name, ...describe(error) });

  return {
    async revoke(userId, integration, account) {
      const stored = await store.connections.of(userId, integration.name);
      const ending = stored.filter((row) => account === undefined || row.account === account);
      await outliveSecond(clock, ending);
      const leaving = ending.length === 0 ? [account ?? FIRST_ACCOUNT] : ending.map((row) => row.account);
      let worst: Disconnected | null = null;
      for (const each of leaving) {
        const key = { user_id: userId, integration: integration.name, account: each };
        const disconnected = await revokeOne(key, integration, leaving);
        if (worst === null || ORDER.indexOf(disconnected.revoked) > ORDER.indexOf(worst.revoked))
          worst = disconnected;
      }
      return worst ?? { revoked: 'done' };
    },

    async handOver(userId, pseudonym) {
      for (const revocation of await store.revocations.ofUser(userId)) {
        const { id, integration } = revocation;
        const opened = await seal.open(revocation.credential, [...placeOf(revocation)]);
        // An import goes with its person, and nobody else knows its provider.
        const isOwn = registries.builtIn.integration(integration) === null;
        if (opened === null || isOwn) await store.revocations.delete(id);
        else {
          const next = { id, user_id: pseudonym };
          const credential = await seal.seal(opened, [...placeOf(next)]);
          await store.revocations.handOver(id, { user_id: pseudonym, credential });
        }
      }
    },

    async retry() {
      for (const revocation of await store.revocations.due(clock.now(), RETRIES_AT_ONCE))
        await retryOne(revocation);
    },

    siblings: (rows) => grants.siblings(rows),
  };
}
