// Disconnects accounts, and ends their grants at the providers. decision: 026
import type { Seal } from '../../crypto/seal.ts';
import type { Egress } from '../../egress/door.ts';
import { describe } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Connection, type ConnectionKey, FIRST_ACCOUNT } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { Checks } from '../model/checks.ts';
import { readConfigOf } from '../model/config.ts';
import { forgetAccount } from '../cookies/sign-in-account.ts';
import { type Disconnected, type Disconnects, outliveSecond, removeAt } from '../model/disconnects.ts';
import type { DynamicProviders } from '../oauth/provider.ts';
import type { RegisteredClients } from '../oauth/registered-clients.ts';
import { LEASE_SECONDS, refreshLease } from '../oauth/tokens.ts';
import type { Vault } from '../model/vault.ts';
import { createGrants } from './grants.ts';
import type { SendProbe } from '../checking/probe.ts';
import { createRevocations } from './revocations.ts';

/** From best to worst. For several accounts the worst is reported. */
const ORDER: readonly Disconnected['revoked'][] = ['done', 'not-offered', 'pending'];
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
  const { browser, checks, clock, log, registries, store, vault } = deps;
  const grants = createGrants(deps);
  const revocations = createRevocations({ ...deps, grants });

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
        return current === null ? null : revocations.begin(current);
      });
      if (begun !== null) {
        const isOver = await revocations.attempt(begun, integration);
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

    async endAll(userIds, pseudonym) {
      const rows = await store.connections.ofPeople(userIds);
      await revocations.beginAll(userIds, await grants.revocable(rows), pseudonym);
    },
    handOver: revocations.handOver,
    retry: revocations.retry,
    siblings: (rows) => grants.siblings(rows),
  };
}
