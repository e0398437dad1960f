// Declares how credentials are checked. decision: 026
import type { Integration } from '../../kit/integration.ts';
import type { Connection, ConnectionKey, CredentialState } from '../../ports/records.ts';
import type { ConnectionConfig } from './config.ts';
import type { Bundle } from './cookies.ts';
import type { Way } from './ways.ts';

export interface NewCredential {
  userId: string;
  integration: Integration;
  way: Way;
  /** As the vault stores it. */
  text: string;
  config: ConnectionConfig;
  /** The account that the provider named on its own. */
  label?: string | undefined;
}

export type Checked = { ok: true; state: CredentialState } | { ok: false; reason: string };
export type CheckedSession =
  | { ok: true; state: CredentialState; bundle: Bundle }
  | { ok: false; reason: string };

export interface Checks {
  /**
   * Refuses a credential that its provider refuses. One that cannot be checked is unverified. Throws 429 when too many of
   * the person's checks are under way; what a provider has just granted is unverified then.
   */
  before(credential: NewCredential): Promise<Checked>;
  /** Like `before`, for a cookie session. The bundle has the cookies that the answer set. */
  beforeSession(
    userId: string,
    integration: Integration,
    bundle: Bundle,
    instanceUrl: string | null,
  ): Promise<CheckedSession>;
  /**
   * Like `beforeSession`, for the cookies of a browser. At an instance the state is `ok` only when the site has proved to be
   * one: it answered itself, and differently without the session. decision: 027
   */
  beforeCapture(
    userId: string,
    integration: Integration,
    bundle: Bundle,
    instanceUrl: string | null,
  ): Promise<CheckedSession>;
  /** Asks the provider about a stored connection, and stores what it says. Null when there is no connection. */
  now(key: ConnectionKey, integration: Integration): Promise<Connection | null>;
}
