// Defines the types of the gateway's responses, as far as the portal reads them. reference: Portal API
export type AuthType = 'none' | 'cookie' | 'oauth2' | 'apikey';
export type Access = 'read' | 'write' | 'destroy';
/** The state of a connection's credentials. decision: 053 */
export type Health = 'ok' | 'expiring' | 'needs_reconnect';

export interface Me {
  id: string;
  email: string;
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

export interface JotChange {
  access?: Jot['access'];
  password?: string;
  cors?: boolean;
}
