// Declares what is pinned of a tool, and reads it back from its stored JSON. decision: 042
import { canonicalJson } from '../../json/canonical.ts';
import { isObject, parseJson } from '../../json/json.ts';
import type { Access } from '../../kit/integration.ts';
import type { ToolApp, Visibility } from '../../kit/tool-app.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { ImportToolRecord } from '../../ports/records.ts';
import { cutText } from './clean-text.ts';

export interface Definition {
  /** The source's own name. */
  source: string;
  title?: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: Annotations;
  access: Access;
  /** What the source says with a method or with hints, where the words of the tool say something else. */
  declared?: Access;
  /** What the source says about the access, where the importer says something else. */
  sourceAccess?: Access;
  operation?: JsonSchema;
  tags?: string[];
  /** The origin of the source's address, which gets the calls. */
  origin: string;
  /** The page of the tool. The digest of the definition covers that of the page. */
  app?: PinnedApp;
  /** Says who may call the tool. Without it, the model and the page. */
  visibility?: readonly Visibility[];
}

export interface PinnedApp extends ToolApp {
  bytes: number;
}

/** The hints of MCP. Others are not pinned. */
export interface Annotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

const LIST_CHARACTERS = 1_024;
export const MAX_DESCRIPTION = 8_192;

/** The description as lists and search results show it. */
export function listDescription({ description }: Pick<Definition, 'description'>): string {
  return cutText(description, LIST_CHARACTERS);
}

/** The description as a tool's schema shows it. */
export function schemaDescription({ description }: Pick<Definition, 'description'>): string {
  return cutText(description, MAX_DESCRIPTION);
}

/** Writes what the digest covers. The importer's choice of access is not the source's promise. */
export function digestedText(definition: Definition): string {
  const { access, sourceAccess, ...promised } = definition;
  return canonicalJson({ ...promised, access: sourceAccess ?? access });
}

/** Returns null for a text that no version of this gateway has stored. */
export function parseDefinition(text: string): Definition | null {
  const value = parseJson(text);
  return isDefinition(value) ? value : null;
}

/** A definition with the name that the tool has here. */
export type NamedDefinition = Definition & { name: string };

/** Reads the accepted definition of a stored tool, or the found one of a tool that nobody has accepted. */
export function readDefinition(row: ImportToolRecord): NamedDefinition | null {
  const definition = parseDefinition(definitionText(row));
  return definition && { ...definition, name: row.name };
}

/** Reads the definition of the first tool, which tells what source the import speaks. */
export const readFirst = ([first]: readonly ImportToolRecord[]): NamedDefinition | null =>
  first === undefined ? null : readDefinition(first);

export const definitionText = ({ definition, found }: ImportToolRecord): string => definition ?? found ?? '';

const ACCESSES: unknown[] = ['read', 'write', 'destroy'];
const isText = (value: unknown) => typeof value === 'string';
const isMissing = (value: unknown) => value === undefined;

function isDefinition(value: unknown): value is Definition {
  if (!isObject(value)) return false;
  const { title, outputSchema, annotations, declared, sourceAccess, operation, tags, app, visibility } =
    value;
  return (
    isText(value['source']) &&
    isText(value['description']) &&
    isText(value['origin']) &&
    isObject(value['inputSchema']) &&
    ACCESSES.includes(value['access']) &&
    (isMissing(title) || isText(title)) &&
    [outputSchema, annotations, operation].every((part) => isMissing(part) || isObject(part)) &&
    (isMissing(declared) || ACCESSES.includes(declared)) &&
    (isMissing(sourceAccess) || ACCESSES.includes(sourceAccess)) &&
    [tags, visibility].every((list) => isMissing(list) || (Array.isArray(list) && list.every(isText))) &&
    (isMissing(app) || isApp(app))
  );
}

const isApp = (value: unknown): boolean =>
  isObject(value) && [value['uri'], value['digest']].every(isText) && typeof value['bytes'] === 'number';

/** Returns the definition with the access that the importer says, or with the source's own for undefined. */
export function overrideAccess(definition: Definition, access: Access | undefined): Definition {
  const { sourceAccess, ...rest } = definition;
  const own = sourceAccess ?? definition.access;
  if (access === undefined || access === own) return { ...rest, access: own };
  return { ...rest, access, sourceAccess: own };
}
