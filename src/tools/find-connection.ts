// Finds the account that a call uses, or says why the call cannot have one. reference: Several accounts
import {
  codeOfChoice,
  type Connected,
  howToChoose,
  howToConnect,
  WITHOUT_ACCOUNTS,
} from '../connections/connected.ts';
import type { NoAccount, Wanted } from '../connections/accounts.ts';
import { howFarTeamGoes, TEAM_LABEL } from '../connections/team.ts';
import type { Config } from '../config/config.ts';
import type { Integration } from '../kit/integration.ts';
import type { AccountOwner, Connection } from '../ports/records.ts';

interface Found {
  /** What the outcome says of the account. */
  named: { account?: string; owner?: AccountOwner };
  /** Null for an integration without sign-in. */
  connection: Connection | null;
  refusal?: Refusal;
}

type Refusal = { kind: 'not-connected' | 'blocked'; message: string } | ReturnType<typeof refuseChoice>;

interface Needs {
  connected: Connected;
  config: Pick<Config, 'PORTAL_URL'>;
}

export async function findConnection(
  { connected, config }: Needs,
  userId: string,
  integration: Integration,
  wanted: Wanted,
): Promise<Found> {
  const none = { named: {}, connection: null };
  if (integration.auth.type === 'none')
    return wanted.account === undefined
      ? none
      : { ...none, refusal: refuseChoice(integration, WITHOUT_ACCOUNTS) };
  const found = await connected.find(userId, integration, wanted);
  if ('labels' in found) return { ...none, refusal: refuseChoice(integration, found) };
  if (found.kind === 'over-ceiling') {
    const message = howFarTeamGoes(integration, found.ceiling);
    return {
      named: { account: TEAM_LABEL, owner: 'team' },
      connection: null,
      refusal: { kind: 'blocked', message },
    };
  }
  const { account, owner } = found;
  const named = { ...(account === undefined ? {} : { account }), ...(owner === undefined ? {} : { owner }) };
  return found.kind === 'connected'
    ? { named, connection: found.connection }
    : {
        named,
        connection: null,
        refusal: { kind: 'not-connected', message: howToConnect(integration, config) },
      };
}

const refuseChoice = (integration: Integration, none: NoAccount) =>
  ({
    kind: 'no-account',
    error: codeOfChoice(none),
    message: howToChoose(integration, none),
    accounts: none.labels,
  }) as const;
