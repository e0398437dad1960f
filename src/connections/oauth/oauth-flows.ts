// Sends a person to a provider and handles the return: a single-use state with a PKCE verifier, then the tokens.
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { base64url } from 'jose';
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../vault.ts';
import type { Integration } from '../../kit/integration.ts';
import { FLOW_SECONDS } from '../../config/limits.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import { INSTANCE, instanceIn, requireConfigOf } from '../config.ts';
import { readInstanceAgain } from '../instance.ts';
import { authorizeUrl, exchangeCode } from './oauth-client.ts';
import { lookUp } from './post-connect.ts';
import { findProvider, type Provider } from './provider.ts';

type Impossible = { ok: false; status: 400 | 503; message: string };
type Prepared = { ok: true; provider: Provider; instanceUrl: string | null } | Impossible;
export type Started = { ok: true; url: string } | Impossible;
export type Finished = { ok: true } | { ok: false; message: string };

export interface OAuthFlows {
  /** Says whether a flow could start, without starting it. */
  check(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    instanceUrl: string | undefined,
  ): Promise<{ ok: true } | Impossible>;
  start(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    instanceUrl: string | undefined,
  ): Promise<Started>;
  /** `callerId` is the person whose session the browser sent; null without a session. */
  finish(
    integration: Integration,
    block: OAuth2Block,
    callback: { state: string; code: string; callerId: string | null },
  ): Promise<Finished>;
}

type Needs = Pick<Ports, 'config' | 'store' | 'clock' | 'random'> & { egress: Egress; vault: Vault };

export function createOAuthFlows({ config, store, clock, random, egress, vault }: Needs): OAuthFlows {
  async function prepare(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    given: string | undefined,
  ): Promise<Prepared> {
    const instance = await readInstanceAgain({ store, egress }, userId, integration, given);
    if (!instance.ok) return { ok: false, status: 400, message: instance.message };
    const found = findProvider(integration, block, instance.instanceUrl, config);
    if (!found.ok) return { ok: false, status: 503, message: found.message };
    return { ok: true, provider: found.provider, instanceUrl: instance.instanceUrl };
  }

  return {
    check: prepare,

    async start(userId, integration, block, given) {
      const prepared = await prepare(userId, integration, block, given);
      if (!prepared.ok) return prepared;
      const { provider, instanceUrl } = prepared;
      const state = base64url.encode(random.bytes(32));
      const verifier = base64url.encode(random.bytes(32));
      await store.flows.put({
        state,
        user_id: userId,
        integration: integration.name,
        expires_at: clock.now() + FLOW_SECONDS,
        session_data: null,
        code_verifier: verifier,
        config: instanceUrl === null ? null : JSON.stringify({ [INSTANCE]: instanceUrl }),
      });
      const codeChallenge = await calculatePKCECodeChallenge(verifier);
      return { ok: true, url: authorizeUrl(provider, { state, codeChallenge }) };
    },

    async finish(integration, block, { state, code, callerId }) {
      // The state is taken even if a later step fails, because each state is good for one return only.
      const flow = await store.flows.take(state);
      if (
        flow === null ||
        flow.user_id === null ||
        flow.integration !== integration.name ||
        flow.expires_at <= clock.now()
      ) {
        return {
          ok: false,
          message: 'This sign-in has expired or was used already. Start connecting again.',
        };
      }
      // decision: 025
      if (callerId !== null && callerId !== flow.user_id) {
        return {
          ok: false,
          message:
            'This sign-in was started by another user of the gateway. Start connecting again yourself.',
        };
      }
      const kept = requireConfigOf(flow);
      const instanceUrl = instanceIn(kept, integration);
      const found = findProvider(integration, block, instanceUrl, config);
      if (!found.ok) return found;
      const answer = await exchangeCode(egress, found.provider, code, flow.code_verifier ?? '');
      if (answer.kind !== 'tokens') return { ok: false, message: answer.message };
      const { accessToken, refreshToken, expiresIn, scope } = answer.tokens;
      const picked = await lookUp(egress, block, accessToken, instanceUrl);
      if (!picked.ok)
        return {
          ok: false,
          message: `${integration.displayName} did not say which account this is: ${picked.reason}`,
        };
      await vault.save(flow.user_id, integration.name, {
        accessToken,
        refreshToken,
        expiresAt: expiresIn === null ? null : clock.now() + expiresIn,
        scopes: scope ?? block.scopes.join(' '),
        config: { ...kept, ...picked.config },
      });
      return { ok: true };
    },
  };
}
