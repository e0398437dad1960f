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
  /** Owners are administrators whom only an owner can change. There is always one once the gateway has had one. */
  is_owner: boolean;
  created_at: number;
  /** Since when the person may not use the gateway. */
  disabled_at: number | null;
  /** When an administrator let this e-mail address in; null for people who came by themselves. */
  invited_at: number | null;
  /** When the person last signed in; null in rows of version 0.1. */
  signed_in_at: number | null;
  /** Since when the person is being deleted. The row goes last. */
  deleted_at: number | null;
  /** Whether the arguments and results of the person's calls are kept for a day. */
  keeps_calls: boolean;
  /** Since when the groups of the idp refuse the person; null when they have let the person in since. */
  outside_since: number | null;
  /** The service key of an actor, and of the row that stands for the key itself; null for people. decision: 074 */
  service_key_id: string | null;
  /** What the product calls the actor. */
  external_id: string | null;
  external_name: string | null;
}

/** The person of a gateway without a sign-in provider. decision: 015 */
export const OWNER_EMAIL = 'owner@localhost';

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
  /** The calls without an account that use the team connection in place of the person's own accounts. */
  team_use: TeamUse | null;
}

export type TeamUse = 'reads' | 'writes' | 'all';

/** The part of a connection that says what was last seen of its credential. */
export type CredentialState = Pick<
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
  /** The resource of its authorization. Null in a row that an older version has written. */
  resource: string | null;
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
  /** What the files of earlier versions take besides those of the live one. */
  held_bytes: number;
  /** The key of the blob that shows the live version; null for a locked jot, and until the picture is there. */
  thumbnail: string | null;
  /** How often its pages were read. */
  views: number;
  /** Changes with every write. */
  version: string;
  created_at: number;
  updated_at: number;
}

export interface AuditEntry {
  user_id: string;
  integration: string;
  tool: string;
  action: AuditAction;
  success: boolean;
  error: string | null;
  duration_ms: number;
  created_at: number;
  /** The id of the actor that called; null in rows of version 0.1. */
  actor: string | null;
  /** The label of the account that was called, where the person had several; null otherwise. */
  account: string | null;
  /** The owner of the account: `team` for the team connection; null for the person themselves. */
  owner: AccountOwner | null;
  /** How the call ended; null in rows of version 0.1, which know only `success`. */
  outcome: AuditOutcome | null;
  /** The name of the named key or client at the time of the call; null for other actors and in rows of version 0.1. */
  client_name: string | null;
  /** What the call could do at most; null where nobody knows, and in rows of version 0.1. */
  access: 'read' | 'write' | 'destroy' | null;
  /** The id of the request; null for what no request caused, and in rows of version 0.1. */
  request_id: string | null;
  /** The id of the approval that the row is about; null for calls that nobody was asked about, and in rows of version 0.1. */
  approval: string | null;
  /** The last HTTP status of the provider; null for calls that did not reach one, and in rows of version 0.1. */
  status: number | null;
  /** Names the details of the call in `call_details`; null when none were kept, and in rows of version 0.1. */
  details: string | null;
  /** The id of the run of a script that made the call; null for all others, and in rows of version 0.2. */
  script: string | null;
}

/** The owner of an account that is not the caller's own. */
export type AccountOwner = 'team';

/** A tool, a raw request, or a person's decision about either. */
/** `REPLAY`: a call with a key was answered from what an earlier one left. `DIRECTORY`: a directory changed people or groups. */
export type AuditAction = 'EXECUTE' | 'CURL' | 'DECIDE' | 'REPLAY' | 'DIRECTORY';

export const AUDIT_OUTCOMES = [
  'ok',
  'error',
  'blocked',
  'asked',
  'approved',
  'denied',
  'expired',
  'unknown',
] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

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
