// Makes the links with which the browser of an actor connects an account, and says which of them still hold. decision: 074
import { base64url } from 'jose';
import { serviceKeyIdOf, type Identity } from '../kit/actor.ts';
import type { ActorLinking, LiveLink } from '../kit/actor-links.ts';
import type { Integration } from '../kit/integration.ts';
import type { ActorLink, ServiceActor, ServiceKey } from '../ports/actors.ts';
import type { Ports } from '../ports/ports.ts';
import { faceOf } from './face.ts';
import { LINK_KEPT_SECONDS, LINKS_PER_ACTOR } from './limits.ts';
import { parseReturnTo } from './return-addresses.ts';

export const LINK_PATH = '/api/connect/actor';

export interface WantedLink {
  integration: Integration;
  returnTo: string;
  account: string | undefined;
}

export interface ActorLinkMaker extends ActorLinking {
  make(
    key: Pick<ServiceKey, 'id'>,
    actor: Pick<ServiceActor, 'id'>,
    wanted: WantedLink,
  ): Promise<{ ok: true; id: string; url: string; expiresAt: number } | { ok: false; why: 'full' | 'gone' }>;
  /** The link that a browser shows, while it waits. `binding` is that of the browser. */
  find(token: string, binding: string | undefined): Promise<{ link: ActorLink; live: LiveLink } | null>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'random' | 'store'>;

const TOO_MANY = `${LINKS_PER_ACTOR} links of this actor wait already. Use one of them, or wait until one is over`;
const GONE = 'There is no such actor any more';

export function createActorLinkMaker({ clock, config, digest, random, store }: Needs): ActorLinkMaker {
  async function make(
    key: Pick<ServiceKey, 'id'>,
    actor: Pick<ServiceActor, 'id'>,
    { integration, returnTo, account = null }: Omit<WantedLink, 'account'> & { account?: string | null },
  ): ReturnType<ActorLinkMaker['make']> {
    const token = base64url.encode(random.bytes(32));
    const now = clock.now();
    const link: ActorLink = {
      id: random.uuid(),
      token_sha: digest.sha256(token),
      user_id: actor.id,
      service_key_id: key.id,
      integration: integration.name,
      account,
      return_to: returnTo,
      state: 'open',
      binding: null,
      created_at: now,
      ends_at: now + config.CONNECT_TTL_SECONDS,
      ended_at: null,
      expires_at: now + config.CONNECT_TTL_SECONDS + LINK_KEPT_SECONDS,
    };
    const added = await store.actorLinks.add(link, LINKS_PER_ACTOR);
    if (added !== 'added') return { ok: false, why: added };
    const url = `${config.SERVER_PUBLIC_URL}${LINK_PATH}?t=${token}`;
    return { ok: true, id: link.id, url, expiresAt: link.ends_at };
  }

  async function liveOf(link: ActorLink | null): Promise<LiveLink | null> {
    if (link === null || link.ended_at !== null || link.ends_at <= clock.now()) return null;
    const found = await store.serviceActors.ofUser(link.user_id);
    if (found === null || found.key.key_sha === null) return null;
    const { actor, key } = found;
    // An address that was taken from the list gets nobody any more.
    if (!parseReturnTo(key.return_to).includes(link.return_to)) return null;
    return {
      id: link.id,
      product: key.name,
      actor: actor.external_name ?? actor.external_id,
      face: faceOf(key),
      returnTo: link.return_to,
    };
  }

  return {
    make: (key, actor, { account, ...wanted }) => make(key, actor, { ...wanted, account: account ?? null }),

    async linkFor({ userId, actor }: Identity, { integration, account }) {
      const keyId = serviceKeyIdOf(actor);
      if (keyId === null) return null;
      const key = await store.serviceKeys.acting(keyId, userId);
      const [returnTo] = key === null ? [] : parseReturnTo(key.return_to);
      if (returnTo === undefined) return { error: GONE };
      const wanted = { integration, returnTo, account: account ?? null };
      const made = await make({ id: keyId }, { id: userId }, wanted);
      return made.ok ? { url: made.url } : { error: made.why === 'full' ? TOO_MANY : GONE };
    },

    async live(id) {
      return liveOf(await store.actorLinks.get(id));
    },

    async find(token, binding) {
      const link = await store.actorLinks.byToken(digest.sha256(token));
      // Nobody else is shown whose link it is.
      const isOthers =
        link !== null &&
        link.binding !== null &&
        (binding === undefined || link.binding !== digest.sha256(binding));
      const live = isOthers ? null : await liveOf(link);
      return link === null || live === null ? null : { link, live };
    },

    finish: (id) => store.actorLinks.finish(id, clock.now()),
  };
}

export const howNotMade = (why: 'full' | 'gone'): string => (why === 'full' ? TOO_MANY : GONE);
