// Authorize tickets and consent questions: carry a validated request, sealed, while its person decides and signs
// in, and turn it into a code for the same browser. reference: Authorize tickets; decision: 023
import { timingSafeEqual } from 'hono/utils/buffer';
import * as z from 'zod';
import { toHex } from '../crypto/encoding.ts';
import type { Ports } from '../ports/ports.ts';
import type { OAuthErrorCode } from '../http/error-codes.ts';
import { describe } from '../http/errors.ts';
import { CODE_SECONDS, TICKET_CHARACTERS } from './limits.ts';
import type { Seal } from '../crypto/seal.ts';
import type { MakeTicket, Tickets } from '../login/login.ts';
import { createSealedStates } from '../login/sealed-states.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { AuthorizeRequest } from './authorize.ts';
import { isDocumentAddress } from './client-documents.ts';
import type { Clients } from './clients.ts';
import { ChoiceShape } from './consent-choice.ts';
import type { Grants } from './grants.ts';

const Request = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  code_challenge: z.string(),
  scope: z.string(),
  state: z.string().nullable(),
  resource: z.string(),
  choice: ChoiceShape.exactOptional(),
});
const Question = z.object({ request: Request, binding: z.string() });
/** The request is null when it is too long for a state; then the browser keeps it. */
const Ticket = z.object({ request: Request.nullable(), binding: z.string() });

/** The code, or why there is none. */
type AuthorizeAnswer = { code: string } | { error: OAuthErrorCode };

export interface AuthorizeTickets extends Tickets {
  /** Returns what makes the ticket of a sign-in. */
  carry(request: AuthorizeRequest, binding: string): MakeTicket;
  /** Makes a question that the person has yet to answer. */
  ask(request: AuthorizeRequest, binding: string): Promise<string>;
  /** Returns the request of a question, for the browser that was asked; uses the question up either way. */
  answer(question: string, binding: string | undefined): Promise<AuthorizeRequest | null>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & {
  clients: Clients;
  grants: Grants;
  seal: Seal;
};

export function createTickets(deps: Needs): AuthorizeTickets {
  const { clock, config, log, random, store, clients, grants } = deps;
  const states = createSealedStates(deps);

  async function openRest(signIn: string, rest: string): Promise<AuthorizeRequest | null> {
    const opened = await states.open('request', rest);
    return opened === null || opened.id !== signIn ? null : Request.parse(opened.data);
  }

  async function issueCode(userId: string, request: AuthorizeRequest): Promise<string | null> {
    const client = await clients.resolve(request.client_id);
    // The client existed when the request arrived, at most ten minutes ago.
    if (client === null && isDocumentAddress(request.client_id))
      throw new Unavailable("The client's document can no longer be fetched");
    if (client === null) return null;
    await clients.remember(client);
    // The limits are there before anything that they limit.
    await grants.begin(userId, request);
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

  const carry = (request: AuthorizeRequest, binding: string): MakeTicket =>
    async function makeTicket(signIn) {
      const data: z.infer<typeof Ticket> = { request, binding };
      const ticket = await states.seal('ticket', signIn, data);
      if (ticket.length <= TICKET_CHARACTERS) return { ticket, rest: '' };
      return {
        ticket: await states.seal('ticket', signIn, { ...data, request: null }),
        rest: await states.seal('request', signIn, request),
      };
    };

  return {
    carry,

    ask(request, binding) {
      const data: z.infer<typeof Question> = { request, binding };
      return states.seal('question', toHex(random.bytes(16)), data);
    },

    async answer(question, binding) {
      const opened = await states.open('question', question);
      if (opened === null || !(await states.use('question', opened.id))) return null;
      const asked = Question.parse(opened.data);
      return (await timingSafeEqual(asked.binding, binding ?? '')) ? asked.request : null;
    },

    async open(ticket, rest) {
      const opened = await states.open('ticket', ticket);
      if (opened === null) return null;
      const { id: signIn, data } = opened;

      /** Null for another browser than the one that began, and for every use but the first. */
      async function takeRequest(binding: string): Promise<AuthorizeRequest | null> {
        if (!(await states.use('ticket', signIn))) return null;
        const kept = Ticket.parse(data);
        if (!(await timingSafeEqual(kept.binding, binding))) return null;
        return kept.request ?? (await openRest(signIn, rest));
      }

      return {
        signIn,
        async discard() {
          await states.use('ticket', signIn);
        },
        async repeat(binding = '') {
          const request = await takeRequest(binding);
          return request === null ? null : carry(request, binding);
        },
        async resume({ userId, binding = '' }) {
          const request = await takeRequest(binding);
          if (request === null) return null;
          const answer = await answerFor(userId, request);
          return answer === null ? null : redirectBack(request, answer, config.SERVER_PUBLIC_URL);
        },
      };
    },
  };
}

/** Returns the client's address with the result and the issuer in its query. RFC 9207; decision: 020 */
export function redirectBack(
  { redirect_uri, state }: Pick<AuthorizeRequest, 'redirect_uri' | 'state'>,
  answer: AuthorizeAnswer,
  issuer: string,
): string {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: issuer });
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query}`;
}
