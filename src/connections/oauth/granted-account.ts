// Asks the provider whose account it has granted, and describes the grant.
import type { Egress } from '../../egress/door.ts';
import type { Integration } from '../../kit/integration.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import type { Ports } from '../../ports/ports.ts';
import type { CredentialState } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { Checks } from '../model/checks.ts';
import { type ConnectionConfig, instanceIn } from '../model/config.ts';
import { stateAfter } from '../model/state.ts';
import type { Grant } from './confirmations.ts';
import type { Tokens } from './oauth-client.ts';
import { lookUp } from './post-connect.ts';
import type { Provider } from './provider.ts';
import { no, type Received, type Step } from './returned-flow.ts';

type Needs = Pick<Ports, 'clock'> & { checks: Pick<Checks, 'before'>; egress: Egress };

export type DescribeGrant = (
  integration: Integration,
  block: OAuth2Block,
  received: Received,
  provider: Provider,
  tokens: Tokens,
) => Promise<Step<{ grant: Grant; account: string | undefined; instanceUrl: string | null }>>;

export function createDescribeGrant({ checks, clock, egress }: Needs): DescribeGrant {
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

  return async function describeGrant(integration, block, received, provider, tokens) {
    const { userId, config: kept, wanted, isForTeam, link } = received;
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
    const state = await judge(owner, integration, accessToken, config, account);
    const connection = {
      accessToken,
      refreshToken,
      expiresAt: expiresIn === null ? null : clock.now() + expiresIn,
      scopes: scope ?? provider.block.scopes.join(' '),
      config,
      state,
    };
    const grant = {
      userId,
      integration: integration.name,
      connection,
      ...(wanted === undefined ? {} : { wanted }),
      ...(isForTeam ? { team: true as const } : {}),
      ...(link === undefined ? {} : { link }),
    };
    return { ok: true, grant, account: state.account_label ?? account, instanceUrl };
  };
}
