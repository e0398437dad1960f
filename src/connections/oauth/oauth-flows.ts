// Sends a person to a provider and handles the return: a single-use state with a PKCE verifier, then the tokens.
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { timingSafeEqual } from 'hono/utils/buffer';
import { base64url } from 'jose';
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../vault.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Config } from '../../config/config.ts';
import { FLOW_SECONDS } from '../../config/limits.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import type { CredentialState, Flow } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { Checks } from '../check.ts';
import {
  belongsTo,
  configAt,
  type ConnectionConfig,
  instanceIn,
  markOf,
  readConfigOf,
  requireConfigOf,
} from '../config.ts';
import { readInstanceAgain } from '../instance.ts';
import { type MayConnectForTeam, TEAM_REFUSED } from '../team.ts';
import { findFormer, findWanted, keepOwner, keepWanted, takeWanted } from '../wanted-account.ts';
import type { Grant } from './confirmations.ts';
import { authorizeUrl, checkCallback, exchangeCode, type Tokens } from './oauth-client.ts';
import { lookUp } from './post-connect.ts';
import {
  type DynamicProviders,
  findProvider,
  type Provider,
  redirectUriOf,
  sharedRedirectUri,
} from './provider.ts';
import { stateAfter } from '../state.ts';
import type { RegisteredClients } from './registered-clients.ts';
import { storeGrant, type Stored } from '../store-grant.ts';

type Impossible = { ok: false; status: 400 | 503; message: string };
type Prepared = { ok: true; provider: Provider; config: ConnectionConfig } | Impossible;
export type Started = { ok: true; url: string } | Impossible;
export type Finished =
  | Stored
  /** Another browser, an agent or a program began the flow, so the person has to confirm it. decision: 078 */
  | { outcome: 'unconfirmed'; grant: Grant; account: string | undefined; instanceUrl: string | null };

/** What the person gives when they begin. */
export interface Wish {
  instanceUrl?: string | undefined;
  /** The label of the account to renew, or of a new one. */
  account?: string | undefined;
  /** The owner of the connection. Absent is the person. */
  owner?: string | undefined;
}

export interface Callback {
  /** What the browser brought back. */
  parameters: URLSearchParams;
  /** The person whose session the request carries; null without a session. */
  callerId: string | null;
  /** The binding of the browser that came back. */
  binding: string | undefined;
}

export interface OAuthFlows {
  /** Says whether a flow could start, without starting it. */
  check(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    wish: Wish,
  ): Promise<{ ok: true } | Impossible>;
  /** `binding` binds the flow to a browser; null where an agent begins it. */
  start(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    wish: Wish,
    binding: string | null,
  ): Promise<Started>;
  finish(integration: Integration, block: OAuth2Block, callback: Callback): Promise<Finished>;
  /**
   * Like `finish` for an import, which only its state can tell: the request may have no session. `name` is that of the
   * address; null at the address that imports share. The integration is null when the state is unknown.
   */
  finishImport(
    name: string | null,
    callback: Callback,
  ): Promise<{ integration: Integration | null; finished: Finished }>;
}

type Step<T> = ({ ok: true } & T) | { ok: false; message: string };

/** What a flow that came back says. */
interface Received extends ReturnType<typeof takeWanted> {
  userId: string;
  verifier: string;
  /** Whether it came back to the browser that began it. */
  isBound: boolean;
}

type Needs = Pick<Ports, 'config' | 'store' | 'clock' | 'digest' | 'random'> & {
  checks: Checks;
  dynamicProviders: DynamicProviders;
  egress: Egress;
  mayConnectForTeam: MayConnectForTeam;
  registries: Registries;
  registeredClients: RegisteredClients;
  vault: Vault;
};

export function createOAuthFlows(deps: Needs): OAuthFlows {
  const { checks, config: settings, store, clock, digest, random, egress } = deps;
  const { dynamicProviders, mayConnectForTeam, registries } = deps;
  const rule = ruleForUnbound(settings);

  /** Keeps the grant even if the check fails, because its code cannot be used again. */
  async function judge(
    userId: string,
    integration: Integration,
    text: string,
    config: ConnectionConfig,
    label: string | undefined,
  ): Promise<CredentialState> {
    const checked = await checks.before({ userId, integration, way: 'oauth2', text, config, label });
    if (checked.ok) return checked.state;
    const state = stateAfter(null, { kind: 'unclear', reason: checked.reason }, clock.now());
    return label === undefined ? state : { ...state, account_id: label, account_label: label };
  }

  async function prepare(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    { instanceUrl: given, account, owner = userId }: Wish,
  ): Promise<Prepared> {
    const instance = await readInstanceAgain({ store, egress }, owner, integration, given, account);
    if (!instance.ok) return { ok: false, status: 400, message: instance.message };
    const config = await settingsFor(owner, integration, block, instance.instanceUrl, account);
    if (!config.ok) return { ok: false, status: 503, message: config.message };
    const found = await findProvider(integration, block, config.config, deps);
    if (!found.ok) return { ok: false, status: 503, message: found.message };
    return { ok: true, provider: found.provider, config: config.config };
  }

  /** The config that a sign-in begins with. */
  async function settingsFor(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    instanceUrl: string | null,
    account: string | undefined,
  ): ReturnType<DynamicProviders['discover']> {
    if (block.dynamic === undefined) return { ok: true, config: configAt(instanceUrl) };
    const former = await findFormer(store, userId, integration.name, account);
    const isOwn = former !== null && belongsTo(former, integration);
    return dynamicProviders.discover(integration, block, isOwn ? readConfigOf(former) : {});
  }

  /** Checks that the flow is alive, and that whoever came back may finish it. */
  async function receive(
    flow: Flow | null,
    integration: Integration,
    { callerId, binding }: Callback,
  ): Promise<Step<Received>> {
    if (
      flow === null ||
      flow.user_id === null ||
      flow.integration !== integration.name ||
      !belongsTo(flow, integration) ||
      flow.expires_at <= clock.now()
    ) {
      return no(EXPIRED);
    }
    // decision: 025
    if (callerId !== null && callerId !== flow.user_id)
      return no('This sign-in was started by another user of the gateway. Start connecting again yourself.');
    const isBound =
      callerId !== null ||
      (flow.session_data !== null &&
        binding !== undefined &&
        (await timingSafeEqual(flow.session_data, digest.sha256(binding))));
    // The code is not exchanged: nobody needs what it would give.
    if (!isBound && rule === 'refuse')
      return no(
        `This sign-in was not started in this browser. Open the portal at ${settings.PORTAL_URL} and connect ${integration.displayName} there.`,
      );
    const { config, wanted, isForTeam } = takeWanted(requireConfigOf(flow));
    // The code is not exchanged for somebody who has stopped being an administrator meanwhile.
    if (isForTeam && !(await mayConnectForTeam(flow.user_id))) return no(TEAM_REFUSED);
    const verifier = flow.code_verifier ?? '';
    return { ok: true, userId: flow.user_id, verifier, isBound, config, wanted, isForTeam };
  }

  /** Exchanges the code for tokens. `arrivedAt` is the redirect address of the request. */
  async function redeem(
    integration: Integration,
    block: OAuth2Block,
    { config, verifier }: Received,
    parameters: URLSearchParams,
    arrivedAt: string,
  ): Promise<Step<{ provider: Provider; tokens: Tokens }>> {
    const found = await findProvider(integration, block, config, deps);
    if (!found.ok) return no(found.message);
    const { provider } = found;
    // Each provider without `iss` has an address of its own, so a code that arrives elsewhere is another provider's. RFC 9700 §4.4.2.2
    if (provider.redirectUri !== arrivedAt) return no(EXPIRED);
    const checked = checkCallback(provider, parameters);
    if (!checked.ok) return no(checked.message);
    const answer = await exchangeCode(egress, provider, checked.callback, verifier);
    if (answer.kind === 'tokens') return { ok: true, provider, tokens: answer.tokens };
    if (answer.kind !== 'later' || answer.isClientForgotten !== true) return no(answer.message);
    await dynamicProviders.forget(integration, provider);
    return no(`${answer.message}. Start connecting again: the gateway will register there once more.`);
  }

  /** Adds what the provider says of the account. */
  async function describeGrant(
    integration: Integration,
    block: OAuth2Block,
    { userId, config: kept, wanted, isForTeam }: Received,
    provider: Provider,
    tokens: Tokens,
  ): Promise<Step<{ grant: Grant; account: string | undefined; instanceUrl: string | null }>> {
    const { accessToken, refreshToken, expiresIn, scope, apiHost } = tokens;
    if (block.apiHost !== undefined && apiHost === undefined)
      return no(`${integration.displayName} did not say where the API of this account is`);
    const instanceUrl = instanceIn(kept, integration);
    const picked = await lookUp(egress, block, accessToken, instanceUrl);
    if (!picked.ok)
      return no(`${integration.displayName} did not say which account this is: ${picked.reason}`);
    const account = picked.account ?? tokens.account;
    const config = { ...kept, ...picked.config, ...(apiHost === undefined ? {} : { apiHost }) };
    const owner = isForTeam ? EVERYONE : userId;
    const credentialState = await judge(owner, integration, accessToken, config, account);
    const connection = {
      accessToken,
      refreshToken,
      expiresAt: expiresIn === null ? null : clock.now() + expiresIn,
      scopes: scope ?? provider.block.scopes.join(' '),
      config,
      state: credentialState,
    };
    const grant = {
      userId,
      integration: integration.name,
      connection,
      ...(wanted === undefined ? {} : { wanted }),
      ...(isForTeam ? { team: true as const } : {}),
    };
    return { ok: true, grant, account: credentialState.account_label ?? account, instanceUrl };
  }

  /** The state has been taken by now. */
  async function complete(
    flow: Flow | null,
    integration: Integration,
    block: OAuth2Block,
    callback: Callback,
    arrivedAt: string,
  ): Promise<Finished> {
    const received = await receive(flow, integration, callback);
    if (!received.ok) return fail(received.message);
    const redeemed = await redeem(integration, block, received, callback.parameters, arrivedAt);
    if (!redeemed.ok) return fail(redeemed.message);
    const { provider, tokens } = redeemed;
    const described = await describeGrant(integration, block, received, provider, tokens);
    if (!described.ok) return fail(described.message);
    const { grant, account } = described;
    if (received.isBound || rule !== 'ask') return storeGrant(deps, integration, grant);
    // Somebody else has named the import, so the person sees its server too.
    const instanceUrl = described.instanceUrl ?? provider.found?.resource ?? null;
    return { outcome: 'unconfirmed', grant, account, instanceUrl };
  }

  return {
    check: prepare,

    async start(userId, integration, block, wish, binding) {
      const prepared = await prepare(userId, integration, block, wish);
      if (!prepared.ok) return prepared;
      const { provider, config } = prepared;
      const { account, owner = userId } = wish;
      const rows = account === undefined ? [] : await store.connections.of(owner, integration.name);
      const wanted = account === undefined ? undefined : findWanted(rows, account);
      const state = base64url.encode(random.bytes(32));
      const verifier = base64url.encode(random.bytes(32));
      await store.flows.put({
        state,
        user_id: userId,
        integration: integration.name,
        expires_at: clock.now() + FLOW_SECONDS,
        // A copy of the database shows no binding that still works.
        session_data: binding === null ? null : digest.sha256(binding),
        code_verifier: verifier,
        config: JSON.stringify({
          ...config,
          ...markOf(integration, random),
          ...keepWanted(wanted),
          ...keepOwner(owner),
        }),
      });
      const codeChallenge = await calculatePKCECodeChallenge(verifier);
      return { ok: true, url: authorizeUrl(provider, { state, codeChallenge }) };
    },

    // The state is taken even if a later step fails, because each state is good for one return only.
    async finish(integration, block, callback) {
      const flow = await store.flows.take(callback.parameters.get('state') ?? '');
      return complete(flow, integration, block, callback, redirectUriOf(integration.name, settings));
    },

    async finishImport(name, callback) {
      const unknown = { integration: null, finished: fail(EXPIRED) };
      const state = callback.parameters.get('state') ?? '';
      const flow = state === '' ? null : await store.flows.take(state);
      if (flow === null || flow.user_id === null) return unknown;
      const integration = await registries.integration(flow.user_id, flow.integration);
      if (integration?.auth.type !== 'oauth2' || integration.auth.dynamic === undefined) return unknown;
      if (name !== null && name !== flow.integration) return unknown;
      const arrivedAt = name === null ? sharedRedirectUri(settings) : redirectUriOf(name, settings);
      return {
        integration,
        finished: await complete(flow, integration, integration.auth, callback, arrivedAt),
      };
    },
  };
}

const EXPIRED = 'This sign-in has expired or was used already. Start connecting again.';
const no = (message: string) => ({ ok: false, message }) as const;
const fail = (message: string): Finished => ({ outcome: 'failed', message });

/** Whether flows are bound to the browser that begins them. */
export const bindsFlows = ({ CONNECT_CONFIRM, CONNECT_VIA }: Rules): boolean =>
  CONNECT_CONFIRM === 'unbound' || CONNECT_VIA === 'portal';

type Rules = Pick<Config, 'CONNECT_CONFIRM' | 'CONNECT_VIA'>;

/** What happens to a flow that comes back without its binding. decision: 078 */
function ruleForUnbound(config: Config): 'connect' | 'ask' | 'refuse' {
  if (!bindsFlows(config)) return 'connect';
  if (config.CONNECT_VIA === 'provider') return 'ask';
  // A portal on another host cannot set a cookie that the callback receives.
  const [base, portal] = [config.SERVER_PUBLIC_URL, config.PORTAL_URL].map((url) => new URL(url));
  return base?.hostname === portal?.hostname && base?.protocol === portal?.protocol ? 'refuse' : 'ask';
}
