// Defines the types of the gateway's responses about imports, as far as the portal reads them. reference: Imports
import type { Access } from './types.ts';

export type ImportKind = 'mcp' | 'openapi';
export type AuthWay = 'none' | 'headers' | 'query' | 'basic' | 'values' | 'oauth2';

/** How an import is connected, without secrets. */
export interface ShownAuth {
  type: AuthWay;
  headers?: Record<string, string>;
  parameters?: Record<string, string>;
  fields?: readonly string[];
  clientId?: string;
  scopes?: readonly string[];
  client?: 'given' | 'document' | 'registration' | 'missing';
}

/** How an import is to be connected. `{field}` is a secret that each person fills in. */
export type GivenAuth =
  | { type: 'none' }
  | { type: 'headers'; headers: Record<string, string> }
  | { type: 'query'; parameters: Record<string, string> }
  | { type: 'basic' }
  | { type: 'oauth2'; clientId?: string; clientSecret?: string; scopes?: string[] };

export interface PreviewTool {
  name: string;
  description: string;
  access: Access;
  ready: boolean;
  tags?: readonly string[];
}

export interface Preview {
  kind: ImportKind;
  name: string;
  displayName: string;
  description: string;
  auth: ShownAuth;
  otherAuth?: ShownAuth[];
  tools: PreviewTool[];
  listed: boolean;
  tags?: { name: string; tools: number }[];
  base?: string;
  servers?: {
    address: string;
    description: string;
    variables: readonly {
      name: string;
      value: string;
      values: readonly string[];
      description: string;
    }[];
  }[];
  warnings: string[];
}

/** Where the definitions come from: an address, or the text of a description. */
export type ImportSource = { address: string } | { document: string };

export type ImportForm = ImportSource & {
  kind?: ImportKind;
  name?: string;
  displayName?: string;
  for?: 'me' | 'everyone';
  include?: string[];
  exclude?: string[];
  access?: Record<string, Access>;
  auth?: GivenAuth;
  base?: string;
};

export interface ImportPatch {
  displayName?: string;
  include?: string[] | null;
  exclude?: string[];
  access?: Record<string, Access>;
  auth?: GivenAuth;
}

export interface ImportedTool {
  name: string;
  description: string;
  access: Access;
  state: 'granted' | 'new' | 'changed' | 'gone';
  blocked: boolean;
  included: boolean;
  tags?: readonly string[];
}

export interface ImportEntry {
  name: string;
  kind: ImportKind;
  displayName: string;
  description: string;
  address: string | null;
  for: 'me' | 'everyone';
  editable: boolean;
  auth: ShownAuth;
  include: readonly string[] | null;
  exclude: readonly string[];
  access: Record<string, Access>;
  base?: string;
  /** The names of what every call carries. The values are not shown. */
  headers?: Record<string, string>;
  version: string;
  /** Unix seconds. */
  createdAt: number;
  checkedAt: number | null;
  checkError: string | null;
  tools: ImportedTool[];
}

export interface ImportList {
  imports: ImportEntry[];
  /** Whether this person may import for everyone. */
  forEveryone: boolean;
}

export interface Definition {
  title: string | null;
  description: string;
  access: Access;
  schema: Record<string, unknown>;
}

export interface Change {
  name: string;
  blocking: boolean;
  old: Definition;
  new: Definition;
}

export interface AddedTool extends Definition {
  name: string;
}

/** What waits for a decision. */
export interface Checked {
  added: AddedTool[];
  changed: Change[];
  gone: string[];
  warnings: string[];
  /** That of the import as the changes show it. */
  version: string;
}

export interface CatalogueServer {
  name: string;
  displayName: string;
  address: string;
  auth: 'none' | 'oauth2' | 'token';
  description: string;
  docs: string;
  logo: string;
  headers?: Record<string, string>;
  builtIn?: string;
  categories: readonly string[];
}
