// Declares a source: what the gateway does in one language that services speak. MCP, OpenAPI and GraphQL implement it.
import type { Integration, Tool, ToolContext } from '../../kit/integration.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Lease } from '../../memory/budget.ts';
import type { Connection, ImportRecord } from '../../ports/records.ts';
import type { Target } from './reach.ts';
import type { Settings } from './settings.ts';
import type { Found, SourceTool } from './source-description.ts';

export interface Source {
  /** Ends the name of an import that would otherwise have the name of a built-in integration. */
  nameEnd: '_mcp' | '_api';
  /** Why no headers can be given for all calls; null when they can. */
  whyNoHeaders: string | null;
  /** Each call is a POST to one address, so the method of a raw request says nothing about its access. */
  takesOnlyPosts: boolean;
  /** Returns where the calls go, or an empty text when neither the record nor the settings say it. */
  addressOf(record: Pick<ImportRecord, 'address'>, settings: Pick<Settings, 'base'>): string;
  /** Looks at an address or a document. Throws a SourceFailure; null says only that the place speaks another language. */
  find(place: Place, wishes: Wishes): Promise<Found | null>;
  /** Lists the tools of a stored import again, as a person or as nobody. Throws a SourceFailure. */
  read(stored: Stored, findAsker: FindAsker | null): Promise<Asked<Listing>>;
  /** Runs a tool. The arguments fit its schema. Throws the service's own words when it refuses the call. */
  call(
    target: Target,
    tool: CalledTool,
    args: Record<string, unknown>,
    context: ToolContext,
  ): Promise<unknown>;
  /** Answers a request about the prompts and resources of a server, with words and numbers bounded. Absent where it has none. */
  relay?: (
    target: Target,
    ask: { method: string; params: Record<string, unknown> },
    context: ToolContext,
  ) => Promise<unknown>;
  /** Returns the request that a tool sends. A rule for the tool also holds for raw requests of this method. */
  requestOf(tool: CalledTool): Tool['request'];
  /** Returns the methods that the service may take the request of a call for, beside its own. */
  otherMethodsOf(tool: CalledTool, args: Record<string, unknown>): readonly string[];
}

export type Place = Uploaded | Located;

interface Uploaded {
  document: string;
  /** The lease of the request that brought the document, which has been charged for its text. */
  lease: Lease;
}

export interface Located {
  /** What is read from the place is charged to it. */
  lease: Lease;
  address: string;
  /** Returns the milliseconds that all ways together have left. Throws a SourceFailure when they are over. */
  timeLeft: () => number;
}

/** 1 is how version 0.2 named the tools of an OpenAPI description. */
export type Naming = 1 | 2;

export interface Wishes {
  /** Where an OpenAPI service is called, instead of what it says. */
  base?: string | undefined;
  /** Tags, paths or names. A description with more operations than an import may have is read for these only. */
  include?: readonly string[] | null | undefined;
  /** The name of the import, with which the names of its tools begin. */
  name?: string | undefined;
  naming?: Naming | undefined;
  /**
   * Somebody says that the place speaks GraphQL, so an answer that only asks for a credential is taken for it. False for a
   * place that nobody named: such an answer is not taken for it, whatever its address.
   */
  isGraphql?: boolean | undefined;
}

export interface Stored {
  record: ImportRecord;
  settings: Settings;
}

/** Finds the connection of the person whose credential is used. `row` is null for an import that needs none. */
export type FindAsker = () => Promise<
  Asked<{ userId: string; integration: Integration; row: Connection | null }>
>;

export interface Listing {
  tools: readonly SourceTool[];
  warnings: readonly string[];
}

/** The message says what a person has to do first. */
export type Asked<T> = { ok: true; value: T } | { ok: false; message: string };

/** The part of a pinned definition that a call needs. */
export interface CalledTool {
  /** The source's own name. */
  source: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema | undefined;
  operation?: JsonSchema | undefined;
}
