// Mints and verifies service keys: what a product's back end calls with, for one of its users. decision: 074
import { toHex } from '../crypto/encoding.ts';
import { describe, HttpError } from '../http/errors.ts';
import { type Identity, type Limits, serviceKeyActorId } from '../kit/actor.ts';
import { parseLimits } from '../kit/limits.ts';
import type { Registry } from '../kit/registry.ts';
import { rememberParsed } from '../memory/remember-parsed.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import type { ServiceKey } from '../ports/actors.ts';
import type { Ports } from '../ports/ports.ts';
import { AGENT_KEY_USE_SECONDS } from './limits.ts';

export const ACTOR_HEADER = 'x-service-actor';
const PREFIX = 'svk_';
const SHAPE = /^svk_[0-9a-f]{64}$/;
/** What a tenant may call its users. It can stand in a header and in a path, where dots alone would lead elsewhere. */
export const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9._~@:+=-]{0,254}$/;

export interface ServiceKeyAuth {
  /** Whether a presented credential claims to be a service key. */
  isOne(presented: string): boolean;
  /** Returns the key alone; null when it is unknown or revoked. */
  verify(presented: string): Promise<ServiceKey | null>;
  /**
   * Returns who calls for the actor, or null for a key that is unknown or revoked. Throws 403 without an actor and 404 for
   * one that the key does not have.
   */
  callerFor(presented: string, externalId: string | null): Promise<Identity | null>;
  /** Returns who calls for a person with a key; null once the key or the actor is gone. */
  acting(keyId: string, userId: string): Promise<Identity | null>;
  /** Draws the text of a key, with what is stored of it. */
  draw(): { key: string; sha: string };
  /** A key that was changed is read anew. */
  forget(): void;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'random' | 'store'> & { registry: Registry };

export function createServiceKeyAuth(deps: Needs): ServiceKeyAuth {
  const { clock, digest, log, random, registry, store } = deps;
  const found = createSharePerTick(clock, (both) => {
    const [sha = '', externalId = ''] = both.split('\n');
    return store.serviceKeys.bySha(sha, externalId === '' ? null : externalId);
  });
  const limitsIn = rememberParsed((text) => withDefault(parseLimits(text)));

  /** Without a choice an actor reaches what it connects for itself, and nothing of the gateway's own. */
  function withDefault(limits: Limits): Limits {
    if (limits.integrations !== undefined) return limits;
    return { ...limits, integrations: connectable(registry) };
  }

  function identityOf(key: ServiceKey, userId: string): Identity {
    noteUse(key);
    return {
      userId,
      actor: {
        id: serviceKeyActorId(key.id),
        name: key.name,
        clientId: null,
        limits: [limitsIn(key.limits)],
      },
    };
  }

  /** The call does not wait for this write. When the write fails, people see an older time. */
  function noteUse({ id, last_used_at }: ServiceKey): void {
    const now = clock.now();
    if (last_used_at !== null && now - last_used_at < AGENT_KEY_USE_SECONDS) return;
    store.serviceKeys.noteUse(id, now).catch((error: unknown) => {
      log.write('warn', 'the use of a service key was not noted', describe(error));
    });
  }

  const read = async (presented: string, externalId: string) =>
    SHAPE.test(presented) ? found.read(`${digest.sha256(presented)}\n${externalId}`) : null;

  return {
    isOne: (presented) => presented.startsWith(PREFIX),

    async verify(presented) {
      const holder = await read(presented, '');
      if (holder === null) return null;
      noteUse(holder.key);
      return holder.key;
    },

    async callerFor(presented, externalId) {
      const isName = externalId !== null && EXTERNAL_ID.test(externalId);
      const holder = await read(presented, isName ? externalId : '');
      if (holder === null) return null;
      if (externalId === null)
        throw new HttpError(403, {
          error: `A service key acts for one actor at a time: name it in the header ${ACTOR_HEADER}. Alone it opens /api/actors`,
        });
      if (holder.actorId === null) throw unknownActor();
      return identityOf(holder.key, holder.actorId);
    },

    async acting(keyId, userId) {
      const key = await store.serviceKeys.acting(keyId, userId);
      return key === null ? null : identityOf(key, userId);
    },

    draw() {
      const key = `${PREFIX}${toHex(random.bytes(32))}`;
      return { key, sha: digest.sha256(key) };
    },

    forget: () => found.forget(),
  };
}

/** The same for one that never was, one that is erased, and one of another key. */
export const unknownActor = (): HttpError => new HttpError(404, { error: 'There is no such actor' });

/** The built-in integrations for which an actor connects an account of its own, without a browser of the gateway. */
export const connectable = (registry: Registry): string[] =>
  registry.integrations
    .filter(({ auth, imported }) => imported === undefined && auth.type !== 'none' && auth.type !== 'cookie')
    .map(({ name }) => name);
