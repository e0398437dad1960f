// Defines the types of the gateway's responses, as far as the portal reads them. reference: Portal API
export type AuthType = 'none' | 'cookie' | 'oauth2' | 'apikey';
export type Access = 'read' | 'write' | 'destroy';
/** The state of a connection's credentials. decision: 053 */
export type Health = 'ok' | 'expiring' | 'needs_reconnect';

export interface Me {
  id: string;
  email: string;
}

export type Decision = 'allow' | 'ask' | 'block';

/** Applies to the tools that match every member that is set. */
export interface Rule {
  integration?: string | undefined;
  tool?: string | undefined;
  access?: Access | undefined;
  decision: Decision;
}

/** What one caller may do at most. */
export interface Limits {
  integrations?: readonly string[] | undefined;
  /** The highest level. Absent allows every level. */
  access?: Access | undefined;
  rules?: readonly Rule[] | undefined;
  perMinute?: number | undefined;
  /** Unix seconds. */
  expiresAt?: number | undefined;
}

/** Describes the address of a person's own instance of the product. */
interface Instance {
  required: boolean;
  default?: string;
  example: string;
}

interface Descriptor {
  name: string;
  version: string;
  displayName: string;
  description: string;
  categories: readonly string[];
  logo: string;
  authType: AuthType;
  instance?: Instance;
}

export interface Integration extends Descriptor {
  toolCount: number;
  configured: boolean;
  /** It can be connected with a token although nobody has set up its sign-in. */
  takesToken?: boolean;
}

/** A field of the form that asks for credentials. */
export interface ApiKeyField {
  key: string;
  label: string;
  secret: boolean;
  required: boolean;
  placeholder?: string;
  help?: string;
  options?: readonly string[];
}

/** An MCP client that signed in as this person. Times are Unix seconds. */
export interface Agent {
  client_id: string;
  client_name?: string;
  scopes: string[];
  connected_since: number;
  expires_at: number;
  limits: Limits;
  last_used_at: number | null;
}

export interface Connection {
  name: string;
  connected: boolean;
  health?: Health;
  /** Unix seconds when an expiring connection ends. */
  expiresAt?: number;
  status?: 'ok' | 'reconnect' | 'unreachable' | 'unverified';
  cause?: string;
  since?: number;
  checkedAt?: number;
  /** Only after a test that the provider answered. */
  answeredInMs?: number;
  connectedAt?: number;
  account?: { id: string; label: string };
  way?: 'oauth2' | 'token' | 'apikey' | 'cookie';
  /** What the person has granted at the provider. */
  scopes?: string[];
  /** What the integration asks for, and the person has not granted. */
  missingScopes?: string[];
  siblings?: string[];
  /** Only where the person has connected several accounts of the integration. */
  accounts?: Account[];
  /** The connection of the team, where the person may use it. */
  team?: TeamUse;
}

export interface TeamUse {
  /** What a call may do at most. */
  access: Access;
  status: 'ok' | 'reconnect' | 'unreachable' | 'unverified';
  /** Calls that only read use it when they name no account. */
  default: boolean;
  /** Calls that change something use it too. */
  defaultForWrites: boolean;
}

/** One of several accounts of an integration. */
export interface Account {
  id: string;
  label: string;
  /** Calls that only read use this account when they name none. */
  default: boolean;
  /** Calls that change something use it too. */
  defaultForWrites: boolean;
  status: 'ok' | 'reconnect' | 'unreachable' | 'unverified';
}

export type Status = NonNullable<Connection['status']>;

/** The ways in which a person can connect an integration. reference: Ways to connect */
export interface SignInWay {
  kind: 'oauth2';
  ready: boolean;
  redirectUri: string;
  scopes: readonly string[];
  registerUrl?: string;
  registerHelp?: string;
  client?: 'environment' | 'portal';
}

export interface TokenWay {
  kind: 'token';
  fields: readonly ApiKeyField[];
  url: string;
  help: string;
  scopes: readonly string[];
}

export type OfferedWay =
  | SignInWay
  | TokenWay
  | { kind: 'apikey'; fields: readonly ApiKeyField[] }
  | { kind: 'cookie' };

/** What became of the credential at the provider. */
export interface Disconnected {
  revoked?: 'done' | 'not-offered' | 'pending';
  /** The provider's page where the person removes it. */
  removeAt?: string;
}

/** The OAuth client of an integration, without its secret. */
export interface ProviderClient {
  clientId: string;
  source: 'portal' | 'environment';
  instances?: readonly { origin: string; clientId: string }[];
}

export interface ProviderClientForm {
  clientId: string;
  clientSecret?: string;
  instances?: Record<string, { clientId: string; clientSecret?: string }>;
}

export interface Tool {
  name: string;
  description: string;
  access: Access;
  integration: string;
}

export interface ToolWithSchema {
  name: string;
  description: string;
  inputSchema: unknown;
}

export interface AuditEntry {
  id: number;
  integration: string;
  tool: string;
  action: string;
  success: boolean;
  /** Null in rows of version 0.1. */
  outcome: 'ok' | 'error' | 'blocked' | 'asked' | 'approved' | 'denied' | 'expired' | 'unknown' | null;
  error: string | null;
  /** `session` is the person in the portal. Null in rows of version 0.1. */
  actor: string | null;
  duration_ms: number;
  /** Unix seconds. */
  created_at: number;
  /** The caller, in the list of everybody's calls. The address of a person who is gone is null. */
  user?: { id: string; email: string | null };
  /** Set where the account was not the caller's own. */
  owner?: 'team';
  /** The label of the account, where the person had several. */
  account?: string;
  /** The name that the key or client had. */
  client_name?: string | null;
}

export interface AuditPage {
  entries: AuditEntry[];
  nextCursor?: string;
  /** Where a search for a filter has stopped, in Unix seconds. */
  searchedUntil?: number;
}

/** Failed calls of the same tool with the same error. */
export interface FailureGroup extends Pick<AuditEntry, 'integration' | 'tool' | 'outcome' | 'error'> {
  /** The newest of the calls. */
  id: number;
  calls: number;
  /** The times of the oldest and the newest call, in Unix seconds. */
  first: number;
  last: number;
}

export interface FailuresPage {
  groups: FailureGroup[];
  nextCursor?: string;
  searchedUntil?: number;
  /** Set where there are more groups than the page lists. */
  isCut: boolean;
}

export interface JotSummary {
  name: string;
  url: string;
  access: 'public' | 'password';
  cors: boolean;
  files: number;
  bytes: number;
  /** Unix seconds. */
  updatedAt: number;
}

export interface Jot extends JotSummary {
  /** `recent` counts the last 30 days. */
  views: { total: number; recent: number };
  /** The path of its picture. Null for a locked jot, and until the picture is made. */
  thumbnail: string | null;
}

export interface JotVersion {
  version: number;
  current: boolean;
  publishedAt: number;
  files: number;
  bytes: number;
  /** Null when it was published before this was noted. */
  by: { kind: 'session' | 'key' | 'agent-key' | 'client'; name: string | null } | null;
}

export interface JotPage extends Jot {
  createdAt: number;
  content: { path: string; bytes: number; type: string }[];
  /** The newest first. */
  versions: JotVersion[];
}

/** An address that takes the files of a jot, and what they may be. */
export interface JotUpload {
  uploadUrl: string;
  expiresAt: number;
  maxBytes: number;
  maxFiles: number;
  maxUploadBytes: number;
}

/** An address that takes one file. */
export interface UploadAddress {
  uploadUrl: string;
  expiresAt: number;
}

/** A kept file as results show it. */
export interface KeptFile {
  handle: string;
  name: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  url: string;
}

export interface JotChange {
  access?: JotSummary['access'];
  password?: string;
  cors?: boolean;
}
