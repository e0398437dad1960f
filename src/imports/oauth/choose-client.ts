// Chooses who the gateway is at a provider: the given client, a client metadata document, or a registration. decision: 045
import type { Config } from '../../config/config.ts';
import { refreshTokens } from '../../connections/oauth/oauth-client.ts';
import { type FoundFacts, type Provider, redirectUriOf } from '../../connections/oauth/provider.ts';
import type { Egress } from '../../egress/door.ts';
import type { DynamicSignIn, OAuth2Block } from '../../kit/manifest.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AuthorizationServer } from './authorization.ts';
import { type Found, refuse } from './found.ts';
import { canShowDocuments, clientOf, type OurClient, sharedClient } from './our-client.ts';
import { clientAuthAt, register } from './register.ts';
import type { KeptClients, Registration, Registrations } from './registrations.ts';

export interface ChosenClient extends OurClient {
  kind: FoundFacts['client'];
  clientAuth: OAuth2Block['clientAuth'];
}

export interface ImportAsked {
  id: string;
  name: string;
  displayName: string;
  client: DynamicSignIn['client'];
}

type Needs = Pick<Ports, 'clock' | 'random'> & {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>;
  egress: Egress;
  registrations: Registrations;
};

export type ChooseClient = (asked: ImportAsked, server: AuthorizationServer) => Promise<Found<ChosenClient>>;

export function createChooseClient({ clock, config, egress, random, registrations }: Needs): ChooseClient {
  /** A client id means something at one provider only, and its secret goes to that provider only: the first that it was used at. */
  async function useGiven(
    { id, name, displayName }: ImportAsked,
    { clientId, clientSecret }: NonNullable<DynamicSignIn['client']>,
    server: AuthorizationServer,
  ): Promise<Found<ChosenClient>> {
    const clientAuth = clientAuthAt(server, clientSecret !== undefined);
    if (clientAuth === null)
      return refuse(
        `The provider of ${displayName} takes no client secret in a way that this gateway knows. Ask for a client without a secret, and enter its id in the import.`,
      );
    const issuer = await registrations.update(id, async ({ given, ...kept }) => {
      const bound = Object.hasOwn(given, clientId) ? given[clientId] : undefined;
      const next = bound === undefined ? { ...kept, given: { ...given, [clientId]: server.issuer } } : null;
      return { next, value: bound ?? server.issuer };
    });
    if (issuer !== server.issuer)
      return refuse(
        `${displayName} now names another provider: ${server.issuer} instead of ${issuer}. Its client belongs to the former one, so nothing is sent. Ask the person who added ${displayName} to check it.`,
      );
    return {
      ok: true,
      value: { kind: 'given', clientId, clientAuth, redirectUri: redirectUriOf(name, config) },
    };
  }

  /** A provider that has lost our registration would show the person an error page without a way back. */
  async function isKnown(server: AuthorizationServer, registration: Registration): Promise<boolean> {
    const { clientId, clientSecret = null, clientAuth, redirectUri } = registration;
    const provider: Provider = {
      block: { type: 'oauth2', authorizeUrl: '', tokenUrl: '', scopes: [], clientAuth },
      displayName: '',
      authorizeUrl: server.authorizeUrl,
      tokenUrl: server.tokenUrl,
      refreshUrl: server.tokenUrl,
      clientId,
      clientSecret,
      redirectUri,
      found: { ...server, client: 'registered' },
    };
    // Nobody has such a token. A provider checks the client before the token. RFC 6749 §5.2
    const answer = await refreshTokens(egress, provider, `not-a-token-${random.uuid()}`);
    return answer.kind !== 'later' || answer.isClientForgotten !== true;
  }

  async function useRegistered(
    { id, displayName }: ImportAsked,
    server: AuthorizationServer & { registerUrl: string },
    ours: OurClient,
  ): Promise<Found<ChosenClient>> {
    const found = await registrations.update<Found<Registration>>(id, async (kept) => {
      const current = findCurrent(kept, server.issuer, ours.redirectUri, clock.now());
      if (current !== undefined && (await isKnown(server, current)))
        return { next: null, value: { ok: true, value: current } };
      const made = await register(egress, config, server, ours, displayName);
      if (!made.ok) return { next: null, value: made };
      const others = kept.registrations.filter(({ clientId }) => clientId !== made.value.clientId);
      return { next: { ...kept, registrations: [...others, made.value] }, value: made };
    });
    if (!found.ok) return found;
    const { clientId, clientAuth, redirectUri } = found.value;
    return { ok: true, value: { kind: 'registered', clientId, clientAuth, redirectUri } };
  }

  return async function chooseClient(asked, server) {
    const { name, displayName, client } = asked;
    if (client !== undefined) return useGiven(asked, client, server);
    const own = clientOf(name, config);
    const way = wayAt(server, config);
    switch (way.kind) {
      case 'document':
        return { ok: true, value: asDocument(server.sendsIssuer ? sharedClient(config) : own) };
      case 'registration':
        return useRegistered(asked, { ...server, registerUrl: way.registerUrl }, own);
      case 'missing':
        return refuse(
          `The provider of ${displayName}, ${new URL(server.issuer).host}, takes only clients that were registered by hand. Register one there with the redirect address ${own.redirectUri}, and enter its id in the import.`,
        );
    }
  };
}

export type WayIn = { kind: 'document' | 'missing' } | { kind: 'registration'; registerUrl: string };

/** How the gateway introduces itself where the importer has given no client. */
export function wayAt(
  { issuer, registerUrl, sendsIssuer, takesDocuments }: AuthorizationServer,
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>,
): WayIn {
  const canShow = takesDocuments && canShowDocuments(issuer, config);
  // Providers want https addresses of documents, which a gateway on somebody's own machine seldom has.
  const isFirstChoice = canShow && sendsIssuer && config.SERVER_PUBLIC_URL.startsWith('https:');
  if (registerUrl !== null && !isFirstChoice) return { kind: 'registration', registerUrl };
  return { kind: canShow ? 'document' : 'missing' };
}

const asDocument = (ours: OurClient): ChosenClient => ({ ...ours, kind: 'document', clientAuth: 'none' });

function findCurrent(
  { registrations }: KeptClients,
  issuer: string,
  redirectUri: string,
  now: number,
): Registration | undefined {
  return registrations.findLast(
    (each) =>
      each.issuer === issuer &&
      each.redirectUri === redirectUri &&
      each.isForgotten !== true &&
      (each.expiresAt === undefined || each.expiresAt > now),
  );
}
