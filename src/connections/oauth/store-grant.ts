// Stores what a provider has granted, and tells the person where that is not what they wanted. reference: Several accounts
import { HttpError } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import { OtherAccount, quoteLabel } from '../model/accounts.ts';
import { type MayConnectForTeam, TEAM_REFUSED } from '../model/team.ts';
import type { Vault } from '../model/vault.ts';
import type { Grant } from './confirmations.ts';

export type Stored =
  /** `isForTeam`: for everyone. */
  | { outcome: 'connected'; isForTeam?: true }
  /** Without a title, the page says that the integration is not connected. */
  | { outcome: 'failed'; message: string; title?: string };

/** A browser follows what this returns, so a refusal becomes a page. */
export async function storeGrant(
  {
    mayConnectForTeam,
    vault,
  }: { mayConnectForTeam: MayConnectForTeam; vault: Pick<Vault, 'save' | 'saveForTeam'> },
  { displayName }: Pick<Integration, 'displayName'>,
  { userId, integration, connection, wanted, team }: Grant,
): Promise<Stored> {
  if (team === true) {
    if (!(await mayConnectForTeam(userId))) return { outcome: 'failed', message: TEAM_REFUSED };
    await vault.saveForTeam(userId, integration, { ...connection, way: 'oauth2' });
    return { outcome: 'connected', isForTeam: true };
  }
  const named = wanted === undefined ? {} : { account: wanted.label, meant: wanted.meant };
  const tellOther = (found: string, label: string, done: string): Stored => ({
    outcome: 'failed',
    title: 'This is another account',
    message: `${displayName} signed you in as ${quoteLabel(found)}. ${done} To connect ${quoteLabel(label)}, sign out at ${displayName}, then start again here.`,
  });
  try {
    const { other } = await vault.save(userId, integration, { ...connection, way: 'oauth2', ...named });
    if (other === null || wanted === undefined) return { outcome: 'connected' };
    return tellOther(other, wanted.label, 'The gateway has renewed that account and changed nothing else.');
  } catch (error) {
    if (error instanceof OtherAccount)
      return tellOther(
        error.found,
        error.named,
        'Nothing was changed: to connect that account too, add another account.',
      );
    if (error instanceof HttpError && error.status === 409)
      return { outcome: 'failed', message: error.message };
    throw error;
  }
}
