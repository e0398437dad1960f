// Serves the actors and the links of a service key to administrators. reference: Service keys
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Identify } from '../kit/actor.ts';
import { toPage } from '../kit/cursor.ts';
import { validQuery } from '../kit/valid-query.ts';
import type { ActorLink } from '../ports/actors.ts';
import { type AnswerNeeds, createActorAnswers } from './answers.ts';
import { requireKey } from './key-routes.ts';
import { LINKS_PER_PAGE } from './limits.ts';
import { type ActorLinkPage, ActorsQuery, LinksQuery, UsageQuery } from './operations.ts';

type Needs = AnswerNeeds & AdministratorNeeds & { identify: Identify };

const ALL = '/api/service-keys/:id/actors';
const ONE = `${ALL}/:externalId` as const;

export function createKeyActorRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, identify, store } = deps;
  const answers = createActorAnswers(deps);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  app.get(ALL, signedIn, administrator, validQuery(ActorsQuery), async (c) =>
    answers.list(c, await requireKey(c, deps), c.req.valid('query')),
  );
  app.delete(ONE, signedIn, administrator, async (c) => answers.erase(c, await requireKey(c, deps)));
  app.get(`${ONE}/connections`, signedIn, administrator, async (c) =>
    answers.connections(c, await requireKey(c, deps)),
  );
  app.get(`${ONE}/usage`, signedIn, administrator, validQuery(UsageQuery), async (c) =>
    answers.usage(c, await requireKey(c, deps), c.req.valid('query').days),
  );

  app.get('/api/service-keys/:id/links', signedIn, administrator, validQuery(LinksQuery), async (c) => {
    const before = readPlace(c.req.valid('query').cursor);
    const keyId = (await requireKey(c, deps)).id;
    const rows = await store.actorLinks.list({ keyId, before, limit: LINKS_PER_PAGE + 1 });
    const { shown, ...next } = toPage(rows, LINKS_PER_PAGE, placeOf);
    const links = await Promise.all(shown.map(showLink));
    return c.json({ links, ...next } satisfies ActorLinkPage);
  });

  async function showLink(link: ActorLink): Promise<ActorLinkPage['links'][number]> {
    const found = await store.serviceActors.ofUser(link.user_id);
    const isOver = link.ended_at === null && link.ends_at <= clock.now();
    return {
      id: link.id,
      externalId: found?.actor.external_id ?? null,
      integration: link.integration,
      state: isOver ? 'expired' : link.state,
      createdAt: link.created_at,
      expiresAt: link.ends_at,
      endedAt: link.ended_at,
    };
  }

  return app;
}

const placeOf = ({ created_at, id }: ActorLink): string => `${created_at} ${id}`;

function readPlace(place: string | undefined): Pick<ActorLink, 'created_at' | 'id'> | undefined {
  const [time = '', id = ''] = place?.split(' ') ?? [];
  return /^\d+$/.test(time) && id !== '' ? { created_at: Number(time), id } : undefined;
}
