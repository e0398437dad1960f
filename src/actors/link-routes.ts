// Serves the connect links of actors to their browsers. Nobody is signed in here: the link is all that a browser has.
// reference: Connect links of actors; decision: 074
import { type Context, Hono } from 'hono';
import type { Config } from '../config/config.ts';
import { createFlowCookie, isFromElsewhere } from '../connections/model/flow-cookie.ts';
import type { KeyForms } from '../connections/model/key-forms.ts';
import type { OAuth2Block } from '../kit/manifest.ts';
import { FLOW_SECONDS } from '../auth/limits.ts';
import { OAUTH_BODY_BYTES } from '../http/limits.ts';
import { readText } from '../http/request-body.ts';
import { HttpError } from '../http/errors.ts';
import { sendFailure, sendPage } from '../http/page.ts';
import { addressAfter, type LiveLink } from '../kit/actor-links.ts';
import type { Integration } from '../kit/integration.ts';
import type { ApiKeyField } from '../kit/manifest.ts';
import type { Registries } from '../kit/registries.ts';
import type { ActorLink } from '../ports/actors.ts';
import type { Ports } from '../ports/ports.ts';
import { askPage, leavePage, overPage } from './link-page.ts';
import { type ActorLinkMaker, LINK_PATH } from './links.ts';

/** What the page needs of the sign-ins. */
export interface StartsSignIn {
  start(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    wish: { instanceUrl?: string | undefined; account?: string | undefined; link: string },
    binding: string,
  ): Promise<{ ok: true; url: string } | { ok: false; status: number; message: string }>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & {
  actorLinks: ActorLinkMaker;
  config: Config;
  keyForms: KeyForms;
  oauthFlows: StartsSignIn;
  registries: Registries;
};

const FIELD = 'field-';
const INSTANCE = 'instanceUrl';
const GONE = 410;

export function createActorLinkRoutes(deps: Needs): Hono {
  const { actorLinks, clock, config, digest, keyForms, oauthFlows, registries, store } = deps;
  const base = config.SERVER_PUBLIC_URL;
  const cookie = createFlowCookie(deps);
  const app = new Hono();
  const over = (c: Context) => sendPage(c, overPage(), GONE);

  /** A sign-in needs only the address of a product that is at many. */
  function fieldsOf(integration: Integration): readonly ApiKeyField[] {
    const { auth, displayName, instance } = integration;
    if (auth.type !== 'oauth2') return keyForms.fields(integration) ?? [];
    if (instance === undefined || instance.default !== undefined) return [];
    const label = `Address of your ${displayName}`;
    return [{ key: INSTANCE, label, secret: false, required: true, placeholder: instance.example }];
  }

  async function shown(token: string, found: { link: ActorLink; live: LiveLink }) {
    const integration = await registries.integration(found.link.user_id, found.link.integration);
    return integration === null
      ? null
      : {
          integration,
          question: { base, token, live: found.live, integration, fields: fieldsOf(integration) },
        };
  }

  app.get(LINK_PATH, async (c) => {
    const token = c.req.query('t') ?? '';
    const found = await actorLinks.find(token, cookie.read(c));
    const page = found === null ? null : await shown(token, found);
    if (page === null) return over(c);
    cookie.bind(c);
    return sendPage(c, askPage(page.question));
  });

  app.post(LINK_PATH, async (c) => {
    const form = new URLSearchParams(await readText(c, OAUTH_BODY_BYTES));
    const token = form.get('t') ?? '';
    const binding = cookie.read(c);
    if (binding === undefined || isFromElsewhere(c, base))
      return sendFailure(c, 400, {
        title: 'That did not work',
        sentence: 'Open the link again in this browser, and allow it to keep a cookie.',
        portalUrl: `${base}${LINK_PATH}?t=${encodeURIComponent(token)}`,
        back: 'Open the link again',
      });
    const found = await actorLinks.find(token, binding);
    const page = found === null ? null : await shown(token, found);
    if (found === null || page === null) return over(c);
    const { link, live } = found;
    const now = clock.now();
    // What the provider asks takes a while, and so does the question afterwards.
    const until = now + 2 * FLOW_SECONDS;
    if (!(await store.actorLinks.open(link.id, digest.sha256(binding), { now, until }))) return over(c);
    cookie.bind(c);
    const { integration, question } = page;
    const values = Object.fromEntries(
      [...form].flatMap(([name, value]) =>
        name.startsWith(FIELD) ? [[name.slice(FIELD.length), value]] : [],
      ),
    );
    const account = link.account ?? undefined;
    if (integration.auth.type === 'oauth2') {
      const wish = { instanceUrl: values[INSTANCE], account, link: link.id };
      const started = await oauthFlows.start(link.user_id, integration, integration.auth, wish, binding);
      if (started.ok) return sendPage(c, leavePage(started.url, live, integration));
      return sendPage(
        c,
        askPage({ ...question, problem: started.message }),
        started.status === 400 ? 400 : 503,
      );
    }
    try {
      const { user_id: userId } = link;
      await keyForms.save({ userId, owner: userId, integration, values, account });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return sendPage(c, askPage({ ...question, problem: error.message }), 400);
    }
    if (!(await actorLinks.finish(link.id))) return over(c);
    return c.redirect(addressAfter(live, { connected: integration.name }), 303);
  });

  return app;
}
