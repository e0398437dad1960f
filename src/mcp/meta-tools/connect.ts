// Implements connect, and get_auth_url, its deprecated alias with the same handler. reference: Meta-tools; decision: 025
import * as z from 'zod';
import { ErrorText } from '../../http/error-codes.ts';
import { HttpError } from '../../http/errors.ts';
import type { Identity } from '../../kit/actor.ts';
import { type Integration, type MetaContext, type MetaTool, tool } from '../../kit/integration.ts';
import { requireWanted } from '../../connections/model/wanted-account.ts';
import { keyFormUrl } from '../../connections/model/ways.ts';
import { withNearest } from '../../search/nearest.ts';
import type { MetaNeeds } from './context.ts';

const CONNECT = 'connect';
const GET_AUTH_URL = 'get_auth_url';
export const CONNECT_TOOLS: readonly string[] = [CONNECT, GET_AUTH_URL];

type Needs = Pick<
  MetaNeeds,
  | 'actorLinks'
  | 'toolboxOf'
  | 'registries'
  | 'visibility'
  | 'config'
  | 'clock'
  | 'pending'
  | 'random'
  | 'links'
  | 'oauthFlows'
  | 'store'
>;

interface Begun {
  /** Set where the person enters a secret instead of signing in. */
  error?: string;
  type: string;
  url: string;
}

interface Wish {
  integration: string;
  account?: string | undefined;
}

export function connectTools({
  actorLinks,
  toolboxOf,
  registries,
  visibility,
  config,
  clock,
  pending,
  random,
  links,
  oauthFlows,
  store,
}: Needs): MetaTool[] {
  const shape = {
    integration: z.string().describe('Name from list_integrations'),
    account: z.string().optional().describe('The label of the account to connect again, or of a new one'),
  };

  async function urlFor(
    caller: Identity,
    { integration: name, account: text }: Wish,
    connectionId: string,
  ): Promise<Begun | { error: string }> {
    const { userId } = caller;
    const integration = await registries.integration(userId, name);
    if (integration === null)
      return withNearest(
        { error: ErrorText.INTEGRATION_NOT_FOUND },
        (await toolboxOf(caller)).nearest.integrations(name),
      );
    const blocked = await visibility.refusal(caller, name);
    if (blocked !== null) return blocked;
    const { auth, displayName } = integration;
    const read = readAccount(integration, text);
    if ('error' in read) return read;
    const { account } = read;
    // The browser of an actor has no session here, and sees the face of its product. decision: 074
    const isLinked = auth.type === 'oauth2' || auth.type === 'apikey';
    const link = isLinked ? await actorLinks.linkFor(caller, { integration, account }) : null;
    if (link !== null) return 'url' in link ? { type: auth.type, url: link.url } : link;
    switch (auth.type) {
      case 'none':
        return {
          error: `${displayName} ${integration.imported === undefined ? 'is built in and needs' : 'needs'} no connect. Its tools work right away`,
        };
      case 'apikey':
        return keyForm(integration, 'the API key', account);
      case 'cookie':
        return { type: auth.type, url: await links.create(userId, name, account, connectionId) };
      case 'oauth2': {
        const possible = await oauthFlows.check(userId, integration, auth, { account });
        // Without an OAuth client the person can still enter a token.
        if (!possible.ok && possible.status === 503 && integration.token !== undefined)
          return keyForm(integration, 'a token', account);
        if (!possible.ok) return { error: possible.message };
        if (config.CONNECT_VIA === 'portal')
          return { type: auth.type, url: await links.create(userId, name, account, connectionId) };
        const started = await oauthFlows.start(userId, integration, auth, { account, connectionId }, null);
        return started.ok ? { type: auth.type, url: started.url } : { error: started.message };
      }
    }
  }

  /** An error that carries the link: there is nothing to sign in to, and an agent must not ask for the secret itself. */
  function keyForm(integration: Integration, secret: string, account: string | undefined): Begun {
    const error = `Only the person can enter ${secret} of ${integration.displayName}. Show them the url, then call wait_for_connection`;
    return { error, type: integration.auth.type, url: keyFormUrl(integration, config, account) };
  }

  async function connect(wish: Wish, caller: MetaContext) {
    const connectionId = random.uuid();
    const begun = await urlFor(caller, wish, connectionId);
    const { integration } = wish;
    if (!('url' in begun)) return begun;
    const expires_at = clock.now() + config.CONNECT_TTL_SECONDS;
    const evicted = await pending.put(
      { connection_id: connectionId, user_id: caller.userId, integration, expires_at },
      config.PERSON_MAX_PENDING,
    );
    await store.flows.drop(caller.userId, evicted);
    const { error, ...rest } = begun;
    return { ...(error === undefined ? {} : { error }), connectionId, ...rest };
  }

  return [
    tool(
      CONNECT,
      'Start connecting an integration. Answers {connectionId, type, url}, and error too where the person enters a key: show the url to the person, then call wait_for_connection.',
      () => shape,
      connect,
      'write',
    ),
    tool(
      GET_AUTH_URL,
      'The same as connect, for clients that lack it. Deprecated otherwise.',
      () => shape,
      connect,
      'write',
    ),
  ];
}

/** Tells the agent about a label that cannot be used. */
function readAccount(
  integration: Integration,
  text: string | undefined,
): { account: string | undefined } | { error: string } {
  try {
    return { account: requireWanted(integration, text) };
  } catch (error) {
    if (error instanceof HttpError) return { error: error.message };
    throw error;
  }
}
