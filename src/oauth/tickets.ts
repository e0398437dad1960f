// Authorize tickets: keep a validated request while its person signs in, and turn it into a code for the same
// browser. reference: Authorize tickets
import { timingSafeEqual } from 'hono/utils/buffer';
import * as z from 'zod';
import { toHex } from '../crypto/encoding.ts';
import type { Ports } from '../ports/ports.ts';
import type { OAuthErrorCode } from '../http/error-codes.ts';
import { describe } from '../http/errors.ts';
import { CODE_SECONDS, FLOW_SECONDS } from '../config/limits.ts';
import type { Tickets } from '../login/login.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { AuthorizeRequest } from './authorize.ts';
import { isDocumentAddress } from './client-documents.ts';
import type { Clients } from './clients.ts';

const TicketData = z.object({
  request: z.object({
    client_id: z.string(),
    redirect_uri: z.string(),
    code_challenge: z.string(),
    scope: z.string(),
    state: z.string().nullable(),
    resource: z.string(),
  }),
  binding: z.string(),
});

/** The code, or why there is none. */
type AuthorizeAnswer = { code: string } | { error: OAuthErrorCode };

/** A ticket to sign in with, or a question that the person has yet to answer. */
type Kind = '__oauth_authorize__' | '__oauth_consent__';

export interface AuthorizeTickets extends Tickets {
  /** Creates a ticket under an id that was drawn before. */
  put(kind: Kind, id: string, request: AuthorizeRequest, binding: string): Promise<void>;
  /** Returns the request of a question, for the browser that was asked; uses the question up either way. */
  answer(id: string, binding: string | undefined): Promise<AuthorizeRequest | null>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & { clients: Clients };

export function createTickets({ clock, config, log, random, store, clients }: Needs): AuthorizeTickets {
  async function take(kind: Kind, id: string): Promise<z.infer<typeof TicketData> | null> {
    const flow = await store.flows.take(id);
    if (flow === null || flow.integration !== kind || flow.expires_at <= clock.now()) return null;
    return TicketData.parse(JSON.parse(flow.session_data ?? '{}'));
  }

  async function issueCode(userId: string, request: AuthorizeRequest): Promise<string | null> {
    const client = await clients.resolve(request.client_id);
    // The client existed when the request arrived, at most ten minutes ago.
    if (client === null && isDocumentAddress(request.client_id))
      throw new Unavailable("The client's document can no longer be fetched");
    if (client === null) return null;
    await clients.remember(client);
    const code = toHex(random.bytes(32));
    const { client_id, redirect_uri, code_challenge, scope, resource } = request;
    await store.codes.put({
      code,
      client_id,
      user_id: userId,
      redirect_uri,
      code_challenge,
      scope,
      resource,
      expires_at: clock.now() + CODE_SECONDS,
    });
    return code;
  }

  // The ticket is already used up, so the client has to try again. RFC 6749 §4.1.2.1
  async function answerFor(userId: string, request: AuthorizeRequest): Promise<AuthorizeAnswer | null> {
    try {
      const code = await issueCode(userId, request);
      return code === null ? null : { code };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.write('error', 'authorization put off', describe(error));
      return { error: 'temporarily_unavailable' };
    }
  }

  return {
    async put(kind, id, request, binding) {
      await store.flows.put({
        state: id,
        user_id: null,
        integration: kind,
        expires_at: clock.now() + FLOW_SECONDS,
        session_data: JSON.stringify({ request, binding } satisfies z.infer<typeof TicketData>),
        code_verifier: null,
        config: null,
      });
    },

    async answer(id, binding) {
      const kept = await take('__oauth_consent__', id);
      return kept !== null && (await timingSafeEqual(kept.binding, binding ?? '')) ? kept.request : null;
    },

    async take(ticket) {
      const kept = await take('__oauth_authorize__', ticket);
      if (kept === null) return null;
      return async function resume({ userId, binding }) {
        if (!(await timingSafeEqual(kept.binding, binding ?? ''))) return null;
        const answer = await answerFor(userId, kept.request);
        return answer === null ? null : redirectBack(kept.request, answer, config.SERVER_PUBLIC_URL);
      };
    },
  };
}

/** Returns the client's address with the result and the issuer in its query. RFC 9207; decision: 042 */
export function redirectBack(
  { redirect_uri, state }: Pick<AuthorizeRequest, 'redirect_uri' | 'state'>,
  answer: AuthorizeAnswer,
  issuer: string,
): string {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: issuer });
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query}`;
}
