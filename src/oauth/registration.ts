// Dynamic registration: open, for public clients only. Unknown fields are ignored. decision: 020
import * as z from 'zod';
import { CLIENT_NAME_CHARACTERS, REDIRECT_URIS, REGISTRATION_BYTES } from './limits.ts';
import type { OAuthClient } from '../ports/records.ts';
import { isAcceptableRedirectUri } from './redirect-uris.ts';

export type Registration = Pick<OAuthClient, 'redirect_uris'> & { client_name: string | null };
export type Registered = { registration: Registration } | { reason: string };

const RegistrationBody = z.object({
  redirect_uris: z
    .array(z.string(), 'redirect_uris must be a list of addresses')
    .min(1, 'redirect_uris must name at least one address')
    .max(REDIRECT_URIS, `redirect_uris may name at most ${REDIRECT_URIS} addresses`),
  client_name: z
    .string('client_name must be a text')
    .max(CLIENT_NAME_CHARACTERS, `client_name may have at most ${CLIENT_NAME_CHARACTERS} characters`)
    .nullish(),
});

export function readRegistration(body: unknown, httpAllowed: boolean): Registered {
  const parsed = RegistrationBody.safeParse(body);
  if (!parsed.success) return { reason: parsed.error.issues[0]?.message ?? 'the body must be a JSON object' };
  const { redirect_uris, client_name } = parsed.data;
  const refused = redirect_uris.findIndex((uri) => !isAcceptableRedirectUri(uri, httpAllowed));
  if (refused !== -1) {
    return {
      reason: `redirect_uris[${refused}] is not acceptable: it must be https, http on loopback, or a scheme of the application's own, without fragment, user name or control characters`,
    };
  }
  return { registration: { redirect_uris, client_name: client_name ?? null } };
}

/** Strangers fill the store with what is registered. A document stays at its own server. */
export function limitRegistration(read: Registered): Registered {
  if ('reason' in read) return read;
  const bytes = new TextEncoder().encode(JSON.stringify(read.registration)).byteLength;
  if (bytes <= REGISTRATION_BYTES) return read;
  return { reason: `redirect_uris and client_name may have at most ${REGISTRATION_BYTES} bytes together` };
}

/** The response to the client. RFC 7591 §3.2.1 */
export function registrationAnswer({ client_id, client_name, redirect_uris, created_at }: OAuthClient) {
  return {
    client_id,
    client_id_issued_at: created_at,
    ...(client_name === null ? {} : { client_name }),
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
