// Declares the vault, which keeps credentials sealed. decision: 024
import type { Place } from '../../crypto/seal.ts';
import {
  type Connection,
  type ConnectionKey,
  type CredentialState,
  FIRST_ACCOUNT,
} from '../../ports/records.ts';
import type { BoundAccount } from './accounts.ts';
import type { ConnectionConfig } from './config.ts';
import type { Way } from './ways.ts';

export type SealedColumn = 'access_token' | 'refresh_token' | 'cookies';
/** The access_token of a cookie connection. reference: Connections */
export const COOKIE_SENTINEL = 'cookie-auth';

export interface NewConnection {
  /** Absent when the credential is a cookie session. */
  accessToken?: string;
  refreshToken?: string | null;
  expiresAt?: number | null;
  scopes?: string | null;
  cookies?: string | null;
  /** When absent, the config of the stored connection stays. */
  config?: ConnectionConfig;
  /** When absent, the way is that of the integration. */
  way?: Way | null;
  /** What is known of the credential. Nothing when absent. */
  state?: CredentialState;
  /** The label of the account, where the person has said which one to renew or to add. */
  account?: string | undefined;
  /**
   * The account that had the label when the person began; null where none had it. The credential is stored under a free
   * label where another account has taken it meanwhile. Absent: the label decides, as it is now.
   */
  meant?: BoundAccount | null;
  /** What the gateway calls the account if it is a new one. A name is made when it is absent. */
  newAccount?: string | undefined;
}

export interface Saved {
  /** The label of the account that was renewed although the person has named another one; null otherwise. */
  other: string | null;
}

export interface Vault {
  /**
   * Stores a connection and notifies the agent that may be waiting for it. The account that the person has connected
   * before is renewed, another one is added. Throws 409 when the person has too many, and `OtherAccount` when the
   * credential is not that of the account that they have named.
   */
  save(userId: string, integration: string, connection: NewConnection): Promise<Saved>;
  /** Like `save`, but throws 409 when the account has been stored again since `seen`, the accounts of the integration. */
  replace(
    seen: readonly Connection[],
    userId: string,
    integration: string,
    connection: NewConnection,
  ): Promise<Saved>;
  /**
   * Stores the connection of the team, or replaces it, in the name of an administrator. Throws 409 when it has been stored
   * again since `seen`, what was stored of the integration for everyone.
   */
  saveForTeam(
    by: string,
    integration: string,
    connection: NewConnection,
    seen?: readonly Connection[],
  ): Promise<void>;
  /** Null when the column is empty or no key opens it. */
  open(connection: Connection, column: SealedColumn): Promise<string | null>;
  seal(text: string | null, key: ConnectionKey, column: SealedColumn): Promise<string | null>;
}

/** The place of a sealed column. That of the first account is the one of version 0.1. */
export const placeOf = ({ user_id, integration, account }: ConnectionKey, column: SealedColumn): Place => [
  user_id,
  account === FIRST_ACCOUNT ? integration : `${integration} ${account}`,
  column,
];
