// Keeps the credential of a grant that is to end at its provider, and tries until the grant has ended. decision: 026
import * as z from 'zod';
import type { Seal } from '../../crypto/seal.ts';
import type { Egress } from '../../egress/door.ts';
import { describe } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection, PendingRevocation } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import { readConfigOf } from '../model/config.ts';
import { parseCredential } from '../model/credential.ts';
import type { Disconnects } from '../model/disconnects.ts';
import { type DynamicProviders, findProvider } from '../oauth/provider.ts';
import type { RegisteredClients } from '../oauth/registered-clients.ts';
import { parseStoredJson } from '../model/stored-json.ts';
import type { Vault } from '../model/vault.ts';
import type { Grants } from './grants.ts';
import type { SendProbe } from '../checking/probe.ts';
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

const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 3_600;
const GIVE_UP_SECONDS = 24 * 3_600;
const RETRIES_AT_ONCE = 20;

interface Begun {
  revocation: PendingRevocation;
  kept: Kept;
}

export interface Revocations extends Pick<Disconnects, 'handOver' | 'retry'> {
  /** Moves the row into the pending revocations. Null when there is nothing left to move. */
  begin(row: Connection): Promise<Begun | null>;
  /** Moves these rows into the pending revocations of a pseudonym, and deletes all other connections of their people. */
  beginAll(userIds: readonly string[], rows: readonly Connection[], pseudonym: string): Promise<void>;
  /** Asks the provider once. Returns whether the grant has ended. It never throws. */
  attempt(begun: Begun, integration: Integration): Promise<boolean>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & {
  dynamicProviders: DynamicProviders;
  egress: Egress;
  grants: Pick<Grants, 'isInUse'>;
  registeredClients: RegisteredClients;
  registries: Registries;
  seal: Seal;
  sendProbe: SendProbe;
  vault: Pick<Vault, 'open'>;
};

export function createRevocations(deps: Needs): Revocations {
  const { clock, egress, grants, log, random, registries, seal, sendProbe, store, vault } = deps;

  const placeOf = ({ id, user_id }: Pick<PendingRevocation, 'id' | 'user_id'>) =>
    [user_id, 'revocation', id] as const;

  /** `userId` is whose the revocation is, and `dueAt` when any process may try. */
  async function draft(row: Connection, userId: string, dueAt: number): Promise<Begun | null> {
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
    const { integration } = row;
    const id = random.uuid();
    const revocation: PendingRevocation = {
      id,
      user_id: userId,
      integration,
      credential: await seal.seal(JSON.stringify(kept), placeOf({ id, user_id: userId })),
      attempts: 0,
      due_at: dueAt,
      expires_at: now + GIVE_UP_SECONDS,
      created_at: now,
    };
    return { revocation, kept };
  }

  async function begin(row: Connection): Promise<Begun | null> {
    // Another process takes over when this one dies before its first attempt ends.
    const begun = await draft(row, row.user_id, clock.now() + FIRST_RETRY_SECONDS);
    return begun !== null && (await store.revocations.begin(row, begun.revocation)) ? begun : null;
  }

  async function beginAll(
    userIds: readonly string[],
    rows: readonly Connection[],
    pseudonym: string,
  ): Promise<void> {
    const drafts = await Promise.all(rows.map((row) => draft(row, pseudonym, clock.now())));
    await store.revocations.beginAll(
      userIds,
      drafts.flatMap((each) => (each === null ? [] : [each.revocation])),
    );
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

  async function attempt({ revocation, kept }: Begun, integration: Integration): Promise<boolean> {
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
    if (await attempt({ revocation, kept }, integration)) return;
    if (revocation.expires_at > now) return;
    log.write('error', 'a grant was not revoked within a day: the provider still accepts it', names);
    await store.revocations.delete(id);
  }

  return {
    begin,
    beginAll,
    attempt,

    async handOver(userIds, pseudonym) {
      for (const revocation of await store.revocations.ofUsers(userIds)) {
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
      const due = await store.revocations.due(clock.now(), RETRIES_AT_ONCE);
      await Promise.all(due.map(retryOne));
      return due.length >= RETRIES_AT_ONCE;
    },
  };
}
