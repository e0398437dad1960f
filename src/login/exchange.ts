// Exchanges a provider's code for an ID token. reference: Portal sign-in
import { ClientSecretBasic, ClientSecretPost, genericTokenEndpointRequest } from 'oauth4webapi';
import * as z from 'zod';
import type { Egress } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import { readJson } from '../egress/json.ts';
import type { SignInProvider } from '../ports/store.ts';
import type { ProviderMetadata } from './discovery.ts';
import { errorCode } from './outcome.ts';
import { createProviderRequests } from './provider-requests.ts';
import type { ProviderSettings } from './providers.ts';

const Answer = z.object({
  id_token: z.string(),
  access_token: z.string().min(1).optional().catch(undefined),
});
const Refusal = z.object({ error: z.string() });

type Exchanged =
  | { idToken: string; accessToken: string | undefined }
  | { reason: 'no-secret'; provider: SignInProvider }
  | { reason: 'code-refused' | 'client-refused'; code: string };

/** Rejects with an EgressFailure when the provider's response is invalid. */
export async function exchangeCode(
  { egress }: { egress: Egress },
  provider: ProviderSettings,
  metadata: ProviderMetadata,
  code: string,
): Promise<Exchanged> {
  const { clientId, clientSecret, issuer, redirectUri } = provider;
  if (clientSecret === undefined) return { reason: 'no-secret', provider: provider.name };
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const authentication = methods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic;
  const response = await genericTokenEndpointRequest(
    { issuer: metadata.issuer, token_endpoint: metadata.token_endpoint },
    { client_id: clientId },
    authentication(clientSecret),
    'authorization_code',
    { code, redirect_uri: redirectUri },
    createProviderRequests(egress, new URL(issuer)),
  );
  const { host } = new URL(metadata.token_endpoint);
  if (response.status >= 400 && response.status < 500) return refusal(response, host);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new EgressFailure('unreachable', `${host} answered with status ${response.status}`);
  }
  const answer = Answer.safeParse(await readJson(response, host));
  if (!answer.success) throw new EgressFailure('bad-answer', `${host} sent no ID token`);
  return { idToken: answer.data.id_token, accessToken: answer.data.access_token };
}

// RFC 6749 §5.2; Keycloak reports a wrong secret as `unauthorized_client`
async function refusal(response: Response, host: string): Promise<Exchanged> {
  const body = Refusal.safeParse(await readJson(response, host).catch(() => null));
  const code = body.success ? errorCode(body.data.error) : `status ${response.status}`;
  const isClient = response.status === 401 || ['invalid_client', 'unauthorized_client'].includes(code);
  return { reason: isClient ? 'client-refused' : 'code-refused', code };
}
