// Signs a person in: the redirect to a provider, and the callback. reference: Portal sign-in; decision: 038
import * as z from 'zod';
import { toHex } from '../crypto/encoding.ts';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import { EgressFailure } from '../egress/failure.ts';
import { describe } from '../http/errors.ts';
import { FLOW_SECONDS } from '../config/limits.ts';
import type { SignInProvider } from '../ports/store.ts';
import { readAdmission } from './admission.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { exchangeCode } from './exchange.ts';
import { verifyIdToken } from './id-token.ts';
import { errorCode, type LoginFailure } from './outcome.ts';
import { type ProviderSettings, readProvider } from './providers.ts';
import { findOrCreateUser, type SignedIn } from './users.ts';

export interface Callback {
  code: string | undefined;
  error: string | undefined;
  state: string | undefined;
}

export interface Login {
  /**
   * Returns the provider's address. With a ticket the person chooses the account, and the state carries the
   * ticket.
   */
  begin(name: SignInProvider, ticket?: string): Promise<{ url: string } | LoginFailure>;
  finish(name: SignInProvider, callback: Callback): Promise<SignedIn | LoginFailure>;
}

/** Continues a sign-in somewhere other than the portal; the authorization server implements this. */
export interface Tickets {
  /** Uses the ticket up; null when there is no such ticket. */
  take(ticket: string): Promise<Resumption | null>;
}

/** Returns where the signed-in browser continues, or null when another browser began the sign-in. */
type Resumption = (browser: { userId: string; binding: string | undefined }) => Promise<string | null>;

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & { egress: Egress };

const SessionData = z.object({ nonce: z.string() });

export function createLogin(deps: Needs): Login {
  const { clock, config, log, random, store } = deps;
  const providers = { hosted: open('hosted'), idp: open('idp') };

  function open(name: SignInProvider): { settings: ProviderSettings; discovery: Discovery } | null {
    const settings = readProvider(config, name);
    return settings === null ? null : { settings, discovery: createDiscovery(settings.issuer, deps) };
  }

  async function begin(name: SignInProvider, ticket?: string): Promise<{ url: string } | LoginFailure> {
    const provider = providers[name];
    if (provider === null) return { reason: 'not-enabled', provider: name };
    const { settings } = provider;
    const metadata = await provider.discovery.metadata();
    const [state, nonce] = [toHex(random.bytes(32)), toHex(random.bytes(32))];
    await store.flows.put({
      state,
      user_id: null,
      integration: flowKind(name),
      expires_at: clock.now() + FLOW_SECONDS,
      session_data: JSON.stringify({ nonce }),
      code_verifier: null,
      config: null,
    });
    const url = new URL(metadata.authorization_endpoint);
    const parameters = {
      client_id: settings.clientId,
      redirect_uri: settings.redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      ...settings.parameters,
      state: ticket === undefined ? state : `${state}.${ticket}`,
      nonce,
      // The person chooses the account, so that a link never signs anybody in silently. decision: 044
      ...(ticket === undefined ? {} : { prompt: 'select_account' }),
    };
    for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value);
    return { url: url.href };
  }

  async function finish(name: SignInProvider, callback: Callback): Promise<SignedIn | LoginFailure> {
    // Takes the state before any check: a state serves one attempt, whatever its outcome.
    const nonce = await takeNonce(name, callback.state);
    if (callback.error !== undefined) return { reason: 'provider-error', code: errorCode(callback.error) };
    if (callback.code === undefined || callback.code === '') return { reason: 'no-code' };
    if (nonce === null) return { reason: 'bad-state' };
    const provider = providers[name];
    if (provider === null) return { reason: 'not-enabled', provider: name };
    const { settings, discovery } = provider;
    const metadata = await discovery.metadata();
    const exchanged = await exchangeCode(deps, settings, metadata, callback.code);
    if ('reason' in exchanged) return exchanged;
    const expected = { provider: settings, issuer: metadata.issuer, nonce };
    const verified = await verifyIdToken(exchanged.idToken, expected, discovery, clock);
    if ('reason' in verified) return verified;
    return findOrCreateUser(deps, readAdmission(config, settings), verified.identity);
  }

  async function takeNonce(name: SignInProvider, state: string | undefined): Promise<string | null> {
    const flow = state === undefined ? null : await store.flows.take(state);
    if (flow === null || flow.integration !== flowKind(name) || flow.expires_at <= clock.now()) return null;
    return SessionData.parse(JSON.parse(flow.session_data ?? '{}')).nonce;
  }

  async function orUnreachable<T>(name: SignInProvider, work: Promise<T>): Promise<T | LoginFailure> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      log.write('warn', 'sign-in provider failed', { provider: name, ...describe(error) });
      return { reason: error.reason === 'bad-answer' ? 'misbehaving' : 'unreachable' };
    }
  }

  return {
    begin: (name, ticket) => orUnreachable(name, begin(name, ticket)),
    finish: (name, callback) => orUnreachable(name, finish(name, callback)),
  };
}

// reference: Pending flows
const flowKind = (name: SignInProvider): string => `${name}-sso`;
