// Declares how the gateway gets a token for an OAuth client that a person has entered. RFC 6749 §4.4
import type { Integration } from '../../kit/integration.ts';
import type { ClientExchange } from '../../kit/manifest.ts';
import type { ConnectionConfig } from './config.ts';

/** What the connection of a client keeps. */
export interface ClientGrant {
  accessToken: string;
  /** In Unix seconds. Null when the provider names no lifetime. */
  expiresAt: number | null;
  scopes: string;
  /** What the next request for a token needs beside the secret. */
  config: ConnectionConfig;
}

export type ClientAnswer =
  | { kind: 'granted'; grant: ClientGrant }
  /** The provider does not accept the client. */
  | { kind: 'refused'; message: string }
  /** The provider or the network failed. A later try may succeed. */
  | { kind: 'later'; message: string };

export interface ClientTokens {
  /** Gets the first token. `config` has the client id. */
  first(
    integration: Integration,
    exchange: ClientExchange,
    config: ConnectionConfig,
    secret: string,
  ): Promise<ClientAnswer>;
}
