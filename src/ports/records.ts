// Declares the stored records as the specification names their fields. Times are Unix seconds.
export interface User {
  id: string;
  email: string;
  hosted_sub: string | null;
  idp_sub: string | null;
  /** The issuer of each subject; null in rows of version 0.1. */
  hosted_iss: string | null;
  idp_iss: string | null;
  /** When an e-mail address that nobody verified made this account; null when the address counts as verified. */
  unverified_since: number | null;
  api_key_hash: string | null;
  api_key_sha: string | null;
  api_key_ciphertext: string | null;
  is_admin: boolean;
  created_at: number;
}

/** The account that is connected while an integration has none. It is the only one in version 0.1. */
export const FIRST_ACCOUNT = '';

/** Names one account of a person at an integration. */
export interface ConnectionKey {
  user_id: string;
  integration: string;
  /** Names the account here, for as long as it is connected. Empty for the first account of an integration. */
  account: string;
}

export interface Connection extends ConnectionKey {
  access_token: string | null;
  refresh_token: string | null;
  expires_at: number | null;
  scopes: string | null;
  cookies: string | null;
  config: string | null;
  created_at: number;
  updated_at: number;
  /** How the person connected. Null in rows of version 0.1, which have only the way of the integration. */
  way: 'oauth2' | 'token' | 'apikey' | 'cookie' | null;
  /** What was last seen of the credential; null in rows of version 0.1 until something is seen. */
  status: 'ok' | 'reconnect' | 'unreachable' | 'unverified' | null;
  /** Why the status is not `ok`, for the person. */
  cause: string | null;
  /** Since when the connection has this status. */
  since: number | null;
  /** When a probe last judged the credential. */
  checked_at: number | null;
  /** The account at the provider. */
  account_id: string | null;
  account_label: string | null;
  /** What the person calls the account. Null while it has no name of its own. */
  label: string | null;
  /** Whether calls use this account when they name none: those that read, and those that change something. */
  is_default: boolean;
  is_write_default: boolean;
}

/** The part of a connection that says how its credential does. */
export type Standing = Pick<
  Connection,
  'status' | 'cause' | 'since' | 'checked_at' | 'account_id' | 'account_label'
>;

/** A grant that the person has ended here, and that the provider has not been seen to end yet. */
export interface PendingRevocation {
  id: string;
  user_id: string;
  integration: string;
  /** The former connection, sealed. */
  credential: string;
  attempts: number;
  /** When any process may try again. */
  due_at: number;
  /** When the gateway gives up. */
  expires_at: number;
  created_at: number;
}

export interface Flow {
  state: string;
  user_id: string | null;
  integration: string;
  expires_at: number;
  session_data: string | null;
  code_verifier: string | null;
  config: string | null;
}

export interface OAuthClient {
  client_id: string;
  client_name: string | null;
  redirect_uris: string[];
  created_at: number;
}

/** The OAuth client of an integration that an administrator has set in the portal. */
export interface ProviderClient {
  integration: string;
  /** The whole client, sealed. */
  sealed_client: string;
  updated_at: number;
}

export interface AuthorizationCode {
  code: string;
  client_id: string;
  user_id: string;
  redirect_uri: string;
  code_challenge: string;
  scope: string;
  resource: string;
  expires_at: number;
}

export interface RefreshToken {
  token_hash: string;
  /** All tokens of one authorization share the family. */
  family: string;
  client_id: string;
  user_id: string;
  scope: string;
  created_at: number;
  expires_at: number;
}

export interface Jot {
  name: string;
  user_id: string;
  access: 'public' | 'password';
  /** Not null exactly when access is `password`. */
  password_hash: string | null;
  cors: boolean;
  /** Somebody has set `cors`; otherwise the gateway decides it. */
  cors_chosen: boolean;
  /** The key of the blob that lists the files. */
  manifest: string;
  files: number;
  bytes: number;
  /** Changes with every write. */
  version: string;
  created_at: number;
  updated_at: number;
}

export interface AuditEntry {
  user_id: string;
  integration: string;
  tool: string;
  action: 'EXECUTE' | 'CURL';
  success: boolean;
  error: string | null;
  duration_ms: number;
  created_at: number;
  /** The id of the actor that called; null in rows of version 0.1. */
  actor: string | null;
  /** The label of the account that was called, where the person had several; null otherwise. */
  account: string | null;
  /** How the call ended; null in rows of version 0.1, which know only `success`. */
  outcome: AuditOutcome | null;
}

export type AuditOutcome = 'ok' | 'error' | 'blocked' | 'asked' | 'denied' | 'expired' | 'unknown';

/** An integration that a person added for themselves, or an administrator for everyone. */
export interface ImportRecord {
  id: string;
  /** The person's id, or empty for everyone. */
  owner: string;
  name: string;
  kind: 'mcp' | 'openapi';
  display_name: string;
  description: string;
  /** Where its definitions come from: an http(s) address, or `stdio:<name>`. Null for a document that was uploaded. */
  address: string | null;
  /** How it is connected and called, sealed: it may hold the secret of an OAuth client. */
  settings: string;
  /** The person whose credential asks the source for its definitions. */
  created_by: string;
  created_at: number;
  updated_at: number;
  /** When the source was last asked, successfully or not. Null before the first time. */
  checked_at: number | null;
  /** Why the last check failed, in a sentence; null after a successful one. */
  check_error: string | null;
  /** Changes with every write of the import or of its tools. */
  version: string;
}

/** A tool of an import, as it is pinned. */
export interface ImportToolRecord {
  import_id: string;
  /** The name in the gateway: `<import>_<tool>`. */
  name: string;
  /** Its place in the list of the source. */
  position: number;
  /** `new` and `changed` wait for a person. `gone` is missing at the source. */
  state: 'granted' | 'new' | 'changed' | 'gone';
  /** The definition that agents see and calls use, as JSON; null while nobody has granted it. */
  definition: string | null;
  /** The digest of `definition`. */
  digest: string | null;
  /** The newer definition that waits for a person, as JSON; null when there is none. */
  found: string | null;
  found_digest: string | null;
}
