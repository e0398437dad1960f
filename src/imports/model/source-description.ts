// Declares what a source of tools says about itself, whatever language it speaks. All of it comes from outside and is not trusted.
import type { JsonSchema } from '../../kit/validation.ts';
import type { AppMeta, Visibility } from '../../kit/tool-app.ts';
import type { ImportRecord } from '../../ports/records.ts';

export interface SourceTool {
  /** The source's own name for the tool. */
  name: string;
  title?: string | undefined;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema | undefined;
  /** The hints of an MCP server, such as `readOnlyHint`. */
  annotations?: Readonly<Record<string, unknown>> | undefined;
  /** What the source's own language says about the access; otherwise the annotations decide. */
  access?: 'read' | 'write' | 'destroy' | undefined;
  /** How an OpenAPI operation is called. It is pinned with the definition. */
  operation?: JsonSchema | undefined;
  /** The tags of an OpenAPI operation. */
  tags?: readonly string[] | undefined;
  /** A tool that is left out unless somebody chooses it. */
  deprecated?: boolean | undefined;
  /** Where a server has the page of the tool, while it is not read yet. */
  appUri?: string | undefined;
  /** The page with which the tool shows itself. */
  app?: SourceApp | undefined;
  /** Says who may call the tool. Without it, the model and the page. */
  visibility?: readonly Visibility[] | undefined;
}

export interface SourceApp extends AppMeta {
  uri: string;
  html: string;
  bytes: number;
}

/** How an import is connected. `{field}` in a template is a secret that each person fills in. */
export type ImportAuth =
  | { type: 'none' }
  | { type: 'headers'; headers: Readonly<Record<string, string>> }
  | { type: 'query'; parameters: Readonly<Record<string, string>> }
  | { type: 'basic' }
  /** Several of these together, for a service that wants more than one. */
  | { type: 'all'; ways: readonly EnteredAuth[] }
  /** Each person enters an OAuth client of their own, and the gateway gets its tokens. RFC 6749 §4.4 */
  | { type: 'client'; tokenUrl: string; scopes?: readonly string[] | undefined }
  /** Values for a process that the gateway starts. */
  | { type: 'values'; fields: readonly string[] }
  | {
      type: 'oauth2';
      clientId?: string | undefined;
      clientSecret?: string | undefined;
      scopes?: readonly string[] | undefined;
      /** Given by an OpenAPI description. An MCP server is asked each time somebody connects. */
      authorizeUrl?: string | undefined;
      tokenUrl?: string | undefined;
      /** Where OpenID Connect says the two addresses, when the description does not. */
      discoveryUrl?: string | undefined;
    };

/** What each person enters into a form. */
export type EnteredAuth = Extract<ImportAuth, { type: 'headers' | 'query' | 'basic' }>;

/** A place where the service of an OpenAPI description runs. */
export interface SourceServer {
  /** With the default of each variable. */
  address: string;
  description: string;
  /** What the importer may choose in the address. `values` is empty when any text is possible. */
  variables: readonly { name: string; value: string; values: readonly string[]; description: string }[];
}

export interface SourceDescription {
  kind: ImportRecord['kind'];
  /** A name for the import, made of what the source calls itself. */
  name: string;
  displayName: string;
  description: string;
  auth: ImportAuth;
  /** Other ways to authenticate that the source offers. */
  otherAuth?: readonly ImportAuth[] | undefined;
  tools: readonly SourceTool[];
  /** False when the tools can be listed only after somebody has connected. */
  isListed: boolean;
  warnings: readonly string[];
  /** The base address of the calls of an OpenAPI import. */
  base?: string | undefined;
  /** The places where an OpenAPI service runs. The first one is the base, unless the importer has given another. */
  servers?: readonly SourceServer[] | undefined;
  /** Set when the OpenAPI description has more operations than an import may have: how to choose some of them. */
  tooMany?: string | undefined;
  /** How many operations of an OpenAPI description have each tag, chosen or not. */
  tags?: readonly { name: string; tools: number }[] | undefined;
}

/** An address that was asked, and what came of it in a few words. */
export interface Look {
  address: string;
  said: string;
}

/** One of several descriptions that a page offers. */
export interface Choice {
  address: string;
  title: string;
}

/** What was found at an address or in a document. */
export type Found = SourceDescription & {
  /** Set where an answer says only that a credential is missing, so it may come from anything. */
  isGuess?: true | undefined;
  /** Set where the given address is not the one of the description. */
  looks?: readonly Look[] | undefined;
  choices?: readonly Choice[] | undefined;
  /** The address as it is called; null for a document that was uploaded. */
  address: string | null;
  /** Which OAuth client the gateway would use. */
  client?: 'given' | 'document' | 'registration' | 'missing' | undefined;
};

export const MAX_DISPLAY_NAME = 100;
