// Finds the provider of an import when somebody connects, and keeps what was found in the connection. decision: 045
import type { ConnectionConfig } from '../../connections/model/config.ts';
import { type DynamicProviders, type Provider, redirectUriOf } from '../../connections/oauth/provider.ts';
import type { Seal } from '../../crypto/seal.ts';
import type { Egress } from '../../egress/door.ts';
import type { Integration } from '../../kit/integration.ts';
import type { DynamicSignIn, OAuth2Block } from '../../kit/manifest.ts';
import { createLru } from '../../memory/lru.ts';
import type { Ports } from '../../ports/ports.ts';
import { readEndpoint } from './addresses.ts';
import { type AuthorizationServer, findAuthorizationServer } from './authorization.ts';
import { createChooseClient } from './choose-client.ts';
import { type Found, refuse } from './found.ts';
import { createRegistrations } from './registrations.ts';
import { keepSignIn, readSignIn, rememberedScopes, type SignIn } from './sign-in.ts';

// A link checks whether it could begin a sign-in, and begins it a moment later.
const CACHED_SECONDS = 30;
const MAX_CACHED = 200;

type Needs = Pick<Ports, 'clock' | 'config' | 'random' | 'store'> & { egress: Egress; seal: Seal };

export function createDynamicProviders(deps: Needs): DynamicProviders {
  const { clock, config, egress } = deps;
  const registrations = createRegistrations(deps);
  const chooseClient = createChooseClient({ ...deps, registrations });
  const lately = createLru<{ server: AuthorizationServer; until: number }>(MAX_CACHED);

  async function ask(id: string, address: string, name: string, preferred: string | null) {
    const key = JSON.stringify([id, address, preferred]);
    const known = lately.get(key);
    if (known !== undefined && known.until > clock.now()) return { ok: true as const, value: known.server };
    const found = await findAuthorizationServer(egress, address, name, preferred);
    if (found.ok) lately.set(key, { server: found.value, until: clock.now() + CACHED_SECONDS }, 1);
    return found;
  }

  /** The client that the importer has given works at the endpoints that the importer has given. */
  function signInAt(
    { name, displayName }: Integration,
    { scopes, clientAuth, dynamic: { address, client, endpoints } }: Dynamic,
  ): Found<SignIn> {
    const [authorizeUrl, tokenUrl] = [endpoints?.authorizeUrl, endpoints?.tokenUrl].map((url) =>
      readEndpoint(url ?? ''),
    );
    if (authorizeUrl === undefined || tokenUrl === undefined)
      return { ok: false, message: `The sign-in of ${displayName} has an address that is not https.` };
    if (client === undefined)
      return {
        ok: false,
        message: `${displayName} needs an OAuth client. Register one at ${new URL(authorizeUrl).host} with the redirect address ${redirectUriOf(name, config)}, and enter its id in the import.`,
      };
    return {
      ok: true,
      value: {
        address,
        issuer: new URL(tokenUrl).origin,
        authorizeUrl,
        tokenUrl,
        revokeUrl: null,
        resource: null,
        sendsIssuer: false,
        scopes: [...scopes],
        client: 'given',
        clientId: client.clientId,
        clientAuth: client.clientSecret === undefined ? 'none' : clientAuth === 'basic' ? 'basic' : 'post',
        redirectUri: redirectUriOf(name, config),
      },
    };
  }

  async function find(
    integration: Integration,
    block: Dynamic,
    previous: ConnectionConfig,
  ): Promise<Found<SignIn>> {
    if (block.dynamic.endpoints !== undefined) return signInAt(integration, block);
    const { name, displayName } = integration;
    const id = idOf(integration);
    const { address, client } = block.dynamic;
    const kept = client && (await registrations.read(id)).given;
    const bound = client && kept && Object.hasOwn(kept, client.clientId) ? kept[client.clientId] : undefined;
    const before = readSignIn(previous);
    const asked = await ask(id, address, displayName, bound ?? before?.issuer ?? null);
    if (!asked.ok) return asked;
    const server = asked.value;
    const chosen = await chooseClient({ id, name, displayName, client }, server);
    if (!chosen.ok) return chosen;
    const { issuer, authorizeUrl, tokenUrl, revokeUrl, resource, sendsIssuer } = server;
    const { kind, clientId, clientAuth, redirectUri } = chosen.value;
    const remembered = rememberedScopes(previous, issuer);
    return {
      ok: true,
      value: {
        address,
        issuer,
        authorizeUrl,
        tokenUrl,
        revokeUrl,
        resource,
        sendsIssuer,
        scopes: scopesFor(server, block.scopes, remembered),
        client: kind,
        clientId,
        clientAuth,
        redirectUri,
      },
    };
  }

  return {
    async discover(integration, block, previous) {
      const found = await find(integration, requireDynamic(block), previous);
      return found.ok ? { ok: true, config: keepSignIn(found.value, previous) } : found;
    },

    async read(integration, block, settings) {
      const { dynamic } = requireDynamic(block);
      const { displayName } = integration;
      const signIn = readSignIn(settings);
      if (signIn === null || signIn.address !== dynamic.address)
        return refuse(`${displayName} has changed since this sign-in. Connect it again.`);
      const { clientId, clientAuth, issuer } = signIn;
      if (signIn.client === 'given' && clientId !== dynamic.client?.clientId)
        return refuse(`${displayName} has another OAuth client since this sign-in. Connect it again.`);
      const clientSecret = await secretOf(integration, dynamic, signIn);
      if (clientSecret === null && clientAuth !== 'none')
        return refuse(`The OAuth client of ${displayName} at ${issuer} is gone. Connect it again.`);
      return { ok: true, provider: toProvider(displayName, block, signIn, clientSecret) };
    },

    async forget(integration, { clientId, found }) {
      await registrations.update(idOf(integration), async (kept) => {
        const registered = kept.registrations.map((each) =>
          each.issuer === found?.issuer && each.clientId === clientId ? { ...each, isForgotten: true } : each,
        );
        return { next: { ...kept, registrations: registered }, value: undefined };
      });
    },
  };

  /** A secret goes to the issuer that it belongs to, which the sign-in has proved to be the one in the config. */
  async function secretOf(
    integration: Integration,
    { client }: DynamicSignIn,
    { client: kind, clientAuth, clientId, issuer }: SignIn,
  ): Promise<string | null> {
    if (clientAuth === 'none') return null;
    if (kind === 'given') return client?.clientSecret ?? null;
    const { registrations: all } = await registrations.read(idOf(integration));
    const found = all.find((each) => each.issuer === issuer && each.clientId === clientId);
    return found?.clientSecret ?? null;
  }
}

type Dynamic = OAuth2Block & { dynamic: DynamicSignIn };

function requireDynamic(block: OAuth2Block): Dynamic {
  const { dynamic } = block;
  if (dynamic === undefined) throw new Error('The provider of this integration is in its manifest');
  return { ...block, dynamic };
}

/** Imports of the same name have clients of their own. */
function idOf({ name, imported }: Integration): string {
  if (imported === undefined) throw new Error(`${name} is not an import`);
  return imported.id;
}

function scopesFor(
  { neededScopes, offeredScopes, offersOffline }: AuthorizationServer,
  chosen: readonly string[],
  remembered: readonly string[],
): string[] {
  const base = [neededScopes, chosen, offeredScopes].find((scopes) => scopes.length > 0) ?? [];
  const scopes = new Set([...base, ...remembered]);
  // Without any other scope the provider would grant nothing else.
  if (offersOffline && scopes.size > 0) scopes.add('offline_access');
  return [...scopes];
}

function toProvider(
  displayName: string,
  block: OAuth2Block,
  signIn: SignIn,
  clientSecret: string | null,
): Provider {
  const { authorizeUrl, tokenUrl, clientAuth, clientId, redirectUri, scopes } = signIn;
  const { issuer, sendsIssuer, resource, revokeUrl, client } = signIn;
  return {
    block: {
      ...block,
      scopes,
      clientAuth,
      // OpenID Connect Core §11: a provider gives no refresh token unless the person is asked.
      ...(scopes.includes('offline_access') ? { authorizeParameters: { prompt: 'consent' } } : {}),
    },
    displayName,
    authorizeUrl,
    tokenUrl,
    refreshUrl: tokenUrl,
    clientId,
    clientSecret,
    redirectUri,
    found: { issuer, sendsIssuer, resource, revokeUrl, client },
  };
}
