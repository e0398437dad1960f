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
  status?: 'ok' | 'reconnect' | 'unreachable' | 'unverified';
  cause?: string;
  since?: number;
  checkedAt?: number;
  account?: { id: string; label: string };
  way?: 'oauth2' | 'token' | 'apikey' | 'cookie';
  siblings?: string[];
  /** Only where the person has connected several accounts of the integration. */
  accounts?: Account[];
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
  error: string | null;
  duration_ms: number;
  /** Unix seconds. */
  created_at: number;
}

export interface AuditPage {
  entries: AuditEntry[];
  nextCursor?: string;
}

export interface Jot {
  name: string;
  url: string;
  access: 'public' | 'password';
  cors: boolean;
  files: number;
  bytes: number;
  /** Unix seconds. */
  updatedAt: number;
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
  access?: Jot['access'];
  password?: string;
  cors?: boolean;
}
