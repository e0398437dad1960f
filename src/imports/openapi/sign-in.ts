// Completes the sign-in of an OpenAPI description: its endpoints may be published elsewhere, and its client is the importer's.
import * as z from 'zod';
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { readJson } from '../../egress/json.ts';
import type { ImportAuth } from '../model/source-description.ts';

const Published = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  scopes_supported: z.array(z.string()).max(1_000).optional().catch(undefined),
});

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** What every provider of OpenID Connect offers is not a permission for the API. */
const IDENTITY = new Set(['openid', 'profile', 'email', 'address', 'phone']);

export interface CompletedSignIn {
  auth: ImportAuth;
  client?: 'given' | 'missing';
  warnings: string[];
}

/** OpenID Connect Discovery 1.0 §4 */
export async function completeSignIn(
  egress: Pick<Egress, 'fetch'>,
  auth: ImportAuth,
): Promise<CompletedSignIn> {
  if (auth.type !== 'oauth2') return { auth, warnings: [] };
  const { discoveryUrl, ...rest } = auth;
  const client = auth.clientId === undefined ? 'missing' : 'given';
  if (discoveryUrl === undefined || rest.authorizeUrl !== undefined)
    return { auth: rest, client, warnings: [] };
  try {
    const response = await egress.fetch(discoveryUrl, {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const published = Published.safeParse(await readJson(response, new URL(discoveryUrl).host)).data;
    if (published === undefined) throw new EgressFailure('bad-answer', 'It names no endpoints');
    const scopes = rest.scopes ?? published.scopes_supported?.filter((scope) => !IDENTITY.has(scope));
    return {
      auth: {
        ...rest,
        authorizeUrl: published.authorization_endpoint,
        tokenUrl: published.token_endpoint,
        ...(scopes === undefined ? {} : { scopes }),
      },
      client,
      warnings: [],
    };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return {
      auth: rest,
      client,
      warnings: [
        `The description names ${discoveryUrl} for its sign-in, and that could not be read. Enter the addresses of the sign-in yourself.`,
      ],
    };
  }
}
