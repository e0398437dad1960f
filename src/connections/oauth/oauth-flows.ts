// Sends a person to a provider and handles the return: a single-use state with a PKCE verifier, then the tokens.
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { base64url } from 'jose';
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../model/vault.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import { FLOW_SECONDS } from '../../auth/limits.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import type { Flow } from '../../ports/records.ts';
import type { Checks } from '../model/checks.ts';
import {
  belongsTo,
  configAt,
  type ConnectionConfig,
  markOf,
  readConfigOf,
  requireConfigOf,
} from '../model/config.ts';
import { readInstanceAgain } from '../model/instance.ts';
import type { MayConnectForTeam } from '../model/team.ts';
import {
  findFormer,
  findWanted,
  keepLink,
  keepOwner,
  keepWanted,
  takeWanted,
} from '../model/wanted-account.ts';
import type { Grant } from './confirmations.ts';
import { createDescribeGrant } from './granted-account.ts';
import { authorizeUrl, checkCallback, exchangeCode, type Tokens } from './oauth-client.ts';
import {
  type DynamicProviders,
  familyRedirectUri,
  findProvider,
  type Provider,
  redirectUriOf,
  sharedRedirectUri,
} from './provider.ts';
import { familyOf, type RegisteredClients } from './registered-clients.ts';
import { type Callback, createReceiveFlow, EXPIRED, no, type Received, type Step } from './returned-flow.ts';
import { storeGrant, type Stored } from './store-grant.ts';

type Impossible = { ok: false; status: 400 | 503; message: string };
type Prepared = { ok: true; provider: Provider; config: ConnectionConfig } | Impossible;
export type Started = { ok: true; url: string } | Impossible;
export type Finished =
  | Stored
  /** Another browser, an agent or a program began the flow, so the person has to confirm it. decision: 025 */
  | { outcome: 'unconfirmed'; grant: Grant; account: string | undefined; instanceUrl: string | null };

/** What the person gives when they begin. */
export interface Wish {
  instanceUrl?: string | undefined;
  /** The label of the account to renew, or of a new one. */
  account?: string | undefined;
  /** The owner of the connection. Absent is the person. */
  owner?: string | undefined;
  /** The pending connection that an agent waits for. The flow ends with it. */
  connectionId?: string | undefined;
  /** The link of an actor that the flow belongs to. decision: 074 */
  link?: string | undefined;
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
  /** Ends a flow that the person has refused at the provider. Returns the link of an actor that it belongs to. */
  refused(state: string): Promise<string | undefined>;
  /**
   * Like `finish` for an import, which only its state can tell: the request may have no session. `name` is that of the
   * address; null at the address that imports share. The integration is null when the state is unknown.
   */
  finishImport(
    name: string | null,
    callback: Callback,
  ): Promise<{ integration: Integration | null; finished: Finished }>;
  /** Like `finish` at the address of a family: the state tells which of its integrations was meant. decision: 065 */
  finishFamily(
    name: string,
    callback: Callback,
  ): Promise<{ integration: Integration | null; finished: Finished }>;
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
  const { config: settings, store, clock, digest, random, egress } = deps;
  const { dynamicProviders, registries } = deps;
  const receiveFlow = createReceiveFlow(deps);
  const describeGrant = createDescribeGrant(deps);

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

  /** The state has been taken by now. */
  async function complete(
    flow: Flow | null,
    integration: Integration,
    block: OAuth2Block,
    callback: Callback,
    arrivedAt: string,
  ): Promise<Finished> {
    const received = await receiveFlow(flow, integration, callback);
    if (!received.ok) return fail(received.message);
    const redeemed = await redeem(integration, block, received, callback.parameters, arrivedAt);
    if (!redeemed.ok) return fail(redeemed.message);
    const { provider, tokens } = redeemed;
    const described = await describeGrant(integration, block, received, provider, tokens);
    if (!described.ok) return fail(described.message);
    const { grant, account } = described;
    if (!received.mustConfirm) return storeGrant(deps, integration, grant);
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
      const mark = wish.link === undefined ? '' : OF_LINK;
      const state = `${mark}${base64url.encode(random.bytes(32))}`;
      const verifier = base64url.encode(random.bytes(32));
      const { connectionId } = wish;
      await store.flows.put(
        {
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
            ...keepLink(wish.link),
          }),
        },
        // What agents begin without end must not push out what the person has begun.
        {
          kind: connectionId === undefined ? 'sign-in' : 'connect',
          most: settings.PERSON_MAX_PENDING,
          connectionId,
        },
      );
      const codeChallenge = await calculatePKCECodeChallenge(verifier);
      return { ok: true, url: authorizeUrl(provider, { state, codeChallenge }) };
    },

    // The state is taken even if a later step fails, because each state is good for one return only.
    async finish(integration, block, callback) {
      const flow = await store.flows.take(callback.parameters.get('state') ?? '');
      return complete(flow, integration, block, callback, redirectUriOf(integration.name, settings));
    },

    async finishFamily(name, callback) {
      const flow = await store.flows.take(callback.parameters.get('state') ?? '');
      const integration = flow === null ? null : registries.builtIn.integration(flow.integration);
      const family = familyOf(integration);
      if (integration?.auth.type !== 'oauth2' || family?.name !== name)
        return { integration: null, finished: fail(EXPIRED) };
      const arrivedAt = familyRedirectUri(family, settings);
      return {
        integration,
        finished: await complete(flow, integration, integration.auth, callback, arrivedAt),
      };
    },

    async refused(state) {
      const flow = state.startsWith(OF_LINK) ? await store.flows.take(state) : null;
      return flow === null ? undefined : takeWanted(requireConfigOf(flow)).link;
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

/** The states of flows that belong to links of actors begin with it. */
const OF_LINK = 'actor-';

const fail = (message: string): Finished => ({ outcome: 'failed', message });
