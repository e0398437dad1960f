// Signs a person in: the redirect to a provider, and the callback. reference: Portal sign-in; decision: 016
import * as z from 'zod';
import { ID_TOKEN_TOLERANCE_SECONDS } from './limits.ts';
import { toHex } from '../crypto/encoding.ts';
import type { Seal } from '../crypto/seal.ts';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import { EgressFailure } from '../egress/failure.ts';
import { describe } from '../http/errors.ts';
import type { SignInProvider } from '../ports/store.ts';
import { type AssertionReason, readPerson, verifyAssertion } from './assertion.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { exchangeCode } from './exchange.ts';
import { readIdentity, verifyIdToken } from './id-token.ts';
import { admit, type MembershipNeeds } from './membership.ts';
import { type AccountReason, errorCode, type LoginFailure } from './outcome.ts';
import { canChooseAccount } from './prompt.ts';
import { type ProviderSettings, readProvider } from './providers.ts';
import { createSealedStates } from './sealed-states.ts';
import { completeEmail, completeGroups, createUserInfo } from './user-info.ts';
import type { SignedIn } from './users.ts';

export interface Callback {
  code: string | undefined;
  error: string | undefined;
}

/** A state that came back. */
interface Returned {
  /** Names the sign-in; also its nonce. */
  id: string;
  /** False for every use but the first, and at the other provider. */
  isLive: boolean;
  /** Whether the provider was asked to let the person choose the account. */
  hasPrompt: boolean;
}

/** How an authorization begins a sign-in. */
export interface Beginning {
  /** Makes the ticket that the state of the sign-in carries. */
  ticketFor: (signIn: string) => Promise<string>;
  /** Whether the person should choose the account at the provider. */
  choosesAccount: boolean;
}

export interface Login {
  /** Returns the provider's address. */
  begin(name: SignInProvider, authorization?: Beginning): Promise<{ url: string } | LoginFailure>;
  /** Uses a state up; null when it is none of this gateway's, or too old. */
  redeem(name: SignInProvider, state: string | undefined): Promise<Returned | null>;
  finish(
    name: SignInProvider,
    returned: Returned | null,
    callback: Callback,
  ): Promise<SignedIn | LoginFailure>;
  /** Checks an identity assertion, which the idp must have issued for this gateway. */
  openAssertion(text: string): Promise<OpenAssertion | { reason: AssertionRefusal }>;
  /**
   * Notes that a person has signed in. Call it after the credential is made: a person who was disabled meanwhile gets a
   * failure, and a person who is disabled later loses the credential.
   */
  confirm(userId: string): Promise<{ reason: 'disabled' } | null>;
}

export type AssertionRefusal =
  | AssertionReason
  | AccountReason
  | 'no-email'
  | 'not-enabled'
  | 'unreachable'
  | 'misbehaving';

export interface OpenAssertion {
  /** The client that the idp lets act for the person. */
  clientId: string;
  resources: readonly string[];
  /** Undefined when the idp does not limit what the client may do. */
  scope: string | undefined;
  /** Uses the assertion up, and applies the rules of a sign-in. */
  signIn(): Promise<SignedIn | { reason: AssertionRefusal }>;
}

/** Continues a sign-in somewhere other than the portal; the authorization server implements this. */
export interface Tickets {
  /** `rest` is what the browser keeps of a long request. Null for what is no ticket, or too old. */
  open(ticket: string, rest: string): Promise<OpenTicket | null>;
}

/** Makes a ticket for a sign-in. `rest` is for the browser to keep; it is empty for a short request. */
export type MakeTicket = (signIn: string) => Promise<{ ticket: string; rest: string }>;

export interface OpenTicket {
  /** The only sign-in that may resume the ticket. */
  signIn: string;
  /** Uses the ticket up. */
  discard(): Promise<void>;
  /**
   * Uses the ticket up. Returns what makes a ticket for another sign-in with the same request in the same browser, or
   * null as `resume` does.
   */
  repeat(binding: string | undefined): Promise<MakeTicket | null>;
  /**
   * Uses the ticket up. Returns where the signed-in browser continues, or null when another browser began the
   * sign-in or the ticket was already used.
   */
  resume(browser: { userId: string; binding: string | undefined }): Promise<string | null>;
}

type Needs = MembershipNeeds & Pick<Ports, 'digest'> & { egress: Egress; seal: Seal };

const StateData = z.object({ provider: z.enum(['hosted', 'idp']), hasPrompt: z.boolean().default(false) });

export function createLogin(deps: Needs): Login {
  const { clock, config, digest, log, random, store } = deps;
  const states = createSealedStates(deps);
  const providers = { hosted: open('hosted'), idp: open('idp') };

  function open(name: SignInProvider): { settings: ProviderSettings; discovery: Discovery } | null {
    const settings = readProvider(config, name);
    return settings === null ? null : { settings, discovery: createDiscovery(settings.issuer, deps) };
  }

  async function begin(
    name: SignInProvider,
    authorization?: Beginning,
  ): Promise<{ url: string } | LoginFailure> {
    const provider = providers[name];
    if (provider === null) return { reason: 'not-enabled', provider: name };
    const { settings } = provider;
    const metadata = await provider.discovery.metadata();
    const nonce = toHex(random.bytes(32));
    // The person chooses the account, so that a link never signs anybody in silently. decision: 021
    const hasPrompt = authorization?.choosesAccount === true && canChooseAccount(metadata);
    const data: z.infer<typeof StateData> = { provider: name, hasPrompt };
    const state = await states.seal('sign-in', nonce, data);
    const ticket = await authorization?.ticketFor(nonce);
    const url = new URL(metadata.authorization_endpoint);
    const parameters = {
      client_id: settings.clientId,
      redirect_uri: settings.redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      ...settings.parameters,
      state: ticket === undefined ? state : `${state}.${ticket}`,
      nonce,
      ...(hasPrompt ? { prompt: 'select_account' } : {}),
    };
    for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value);
    return { url: url.href };
  }

  // Uses the state up before any check: a state serves one attempt, whatever its outcome.
  async function redeem(name: SignInProvider, state: string | undefined): Promise<Returned | null> {
    const opened = state === undefined ? null : await states.open('sign-in', state);
    if (opened === null) return null;
    const isFirst = await states.use('sign-in', opened.id);
    const { provider, hasPrompt } = StateData.parse(opened.data);
    return { id: opened.id, isLive: isFirst && provider === name, hasPrompt };
  }

  async function finish(
    name: SignInProvider,
    returned: Returned | null,
    callback: Callback,
  ): Promise<SignedIn | LoginFailure> {
    if (callback.error !== undefined) return { reason: 'provider-error', code: errorCode(callback.error) };
    if (callback.code === undefined || callback.code === '') return { reason: 'no-code' };
    if (!returned?.isLive) return { reason: 'bad-state' };
    const provider = providers[name];
    if (provider === null) return { reason: 'not-enabled', provider: name };
    const { settings, discovery } = provider;
    const metadata = await discovery.metadata();
    const exchanged = await exchangeCode(deps, settings, metadata, callback.code);
    if ('reason' in exchanged) return exchanged;
    const expected = { provider: settings, issuer: metadata.issuer, nonce: returned.id };
    const verified = await verifyIdToken(exchanged.idToken, expected, discovery, clock);
    if ('reason' in verified) return verified;
    const userInfo = createUserInfo(deps, settings, verified.claims, {
      metadata,
      accessToken: exchanged.accessToken,
    });
    const read = readIdentity(await completeEmail(verified.claims, userInfo), settings, metadata.issuer);
    if ('reason' in read) return read;
    const identity = await completeGroups(settings, read.identity, userInfo);
    return admit(deps, settings, identity, 'sign-in');
  }

  async function openAssertion(text: string): Promise<OpenAssertion | { reason: AssertionRefusal }> {
    if (providers.idp === null) return { reason: 'not-enabled' };
    const { settings, discovery } = providers.idp;
    const { issuer } = await discovery.metadata();
    const expected = { issuer, audience: config.SERVER_PUBLIC_URL };
    const verified = await verifyAssertion(text, expected, discovery, clock);
    if ('reason' in verified) return verified;
    const { claims } = verified;
    return {
      clientId: claims.client_id,
      resources: [claims.resource].flat(),
      scope: claims.scope,
      async signIn() {
        const id = digest.sha256(JSON.stringify([claims.iss, claims.jti]));
        // It is accepted for a while after it has expired.
        const isFirst = await states.use('assertion', id, claims.exp + ID_TOKEN_TOLERANCE_SECONDS);
        if (!isFirst) return { reason: 'used-before' };
        const person = await readPerson(store, claims, settings);
        return 'reason' in person ? person : admit(deps, settings, person.identity, 'assertion');
      },
    };
  }

  async function orUnreachable<T>(
    name: SignInProvider,
    work: Promise<T>,
  ): Promise<T | { reason: 'misbehaving' | 'unreachable' }> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      log.write('warn', 'sign-in provider failed', { provider: name, ...describe(error) });
      return { reason: error.reason === 'bad-answer' ? 'misbehaving' : 'unreachable' };
    }
  }

  return {
    begin: (name, authorization) => orUnreachable(name, begin(name, authorization)),
    redeem,
    finish: (name, returned, callback) => orUnreachable(name, finish(name, returned, callback)),
    openAssertion: (text) => orUnreachable('idp', openAssertion(text)),
    confirm: async (userId) =>
      (await store.people.noteSignIn(userId, clock.now())) ? null : { reason: 'disabled' },
  };
}
