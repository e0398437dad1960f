// Compares what a source lists now with what is stored, and decides which changes wait for a person. decision: 042
import type { Access } from '../../kit/integration.ts';
import type { Visibility } from '../../kit/tool-app.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { canonicalJson } from '../../json/canonical.ts';
import type { ImportToolRecord } from '../../ports/records.ts';
import { type Definition, parseDefinition, type PinnedApp } from './definition.ts';
import type { Pinned } from './pin.ts';
import { showSchema } from './schema-shown.ts';

export interface Compared {
  /** All tools as they are now, in the order of the source. Those that are gone come last. */
  rows: ImportToolRecord[];
  /** The rows among them that differ from the stored ones. */
  written: ImportToolRecord[];
}

/** With `trusts`, tools that were never listed before are granted at once: somebody has just chosen this source. */
export function compareTools(
  stored: readonly ImportToolRecord[],
  found: readonly Pinned[],
  { importId, trusts }: { importId: string; trusts: boolean },
): Compared {
  const known = new Map(stored.map((row) => [row.name, row]));
  const listed = new Set(found.map(({ name }) => name));
  const present = found.map((pinned, position) => {
    const row = known.get(pinned.name);
    return row === undefined
      ? newRow(importId, position, pinned, trusts)
      : { ...meet(row, pinned), position };
  });
  const gone = stored
    .filter(({ name }) => !listed.has(name))
    .map((row, index): ImportToolRecord => ({ ...row, state: 'gone', position: found.length + index }));
  const rows = [...present, ...gone];
  return { rows, written: rows.filter((row) => !isSame(row, known.get(row.name))) };
}

function newRow(importId: string, position: number, pinned: Pinned, trusts: boolean): ImportToolRecord {
  const row = { import_id: importId, name: pinned.name, position };
  const { text, digest } = pinned;
  return trusts
    ? { ...row, state: 'granted', definition: text, digest, found: null, found_digest: null }
    : { ...row, state: 'new', definition: null, digest: null, found: text, found_digest: digest };
}

/** A tool that returns is what it was before: its state follows from what is stored. */
function meet(row: ImportToolRecord, { text, digest }: Pinned): ImportToolRecord {
  if (row.definition === null) return { ...row, state: 'new', found: text, found_digest: digest };
  // The text may differ in what the digest leaves out: the importer's choice of access.
  if (row.digest === digest)
    return { ...row, state: 'granted', definition: text, found: null, found_digest: null };
  return { ...row, state: 'changed', found: text, found_digest: digest };
}

const FIELDS = ['position', 'state', 'definition', 'digest', 'found', 'found_digest'] as const;

const isSame = (row: ImportToolRecord, other: ImportToolRecord | undefined): boolean =>
  other !== undefined && FIELDS.every((field) => row[field] === other[field]);

/**
 * Returns the rows after somebody has accepted what was found: of these tools, or of all. What is gone and accepted is
 * removed.
 */
export function acceptTools(
  stored: readonly ImportToolRecord[],
  names: 'all' | readonly string[],
): { rows: ImportToolRecord[]; written: ImportToolRecord[]; removed: string[] } {
  const chosen = names === 'all' ? null : new Set(names);
  const accepted = stored.filter(
    ({ name, state }) => state !== 'granted' && (chosen === null || chosen.has(name)),
  );
  const removed = accepted.filter(({ state }) => state === 'gone').map(({ name }) => name);
  const written = accepted.filter(({ state }) => state !== 'gone').map(grant);
  const changed = new Map(written.map((row) => [row.name, row]));
  const rows = stored
    .filter(({ name }) => !removed.includes(name))
    .map((row) => changed.get(row.name) ?? row);
  return { rows, written, removed };
}

function grant(row: ImportToolRecord): ImportToolRecord {
  if (row.found === null) return { ...row, state: 'granted' };
  return {
    ...row,
    state: 'granted',
    definition: row.found,
    digest: row.found_digest,
    found: null,
    found_digest: null,
  };
}

/** Tells whether calls of the tool wait for a person. A tool with a new description alone keeps the old one and works. */
export function isBlocking(row: ImportToolRecord): boolean {
  if (row.state === 'granted') return row.definition === null;
  if (row.state !== 'changed' || row.definition === null || row.found === null) return true;
  const [granted, found] = [parseDefinition(row.definition), parseDefinition(row.found)];
  return granted === null || found === null || contractOf(granted) !== contractOf(found);
}

/**
 * What a call depends on. Tags are part of it because they choose which tools are included. A newer version of the gateway
 * may judge a tool in another way: that waits for a person, and until then the tool works with the access it had.
 */
function contractOf(definition: Definition): string {
  const { source, inputSchema, outputSchema, operation, origin, access, declared, sourceAccess, tags } =
    definition;
  return canonicalJson({
    source,
    inputSchema,
    outputSchema,
    operation,
    origin,
    access: declared ?? sourceAccess ?? access,
    tags,
  });
}

export interface Side {
  title: string | null;
  description: string;
  access: Access;
  schema: JsonSchema;
  app?: PinnedApp;
  visibility?: readonly Visibility[];
}

/** Shows both definitions of a tool that waits for a person. Either is null where there is none. */
export function describeChange(row: ImportToolRecord): { name: string; old: Side | null; new: Side | null } {
  return { name: row.name, old: sideOf(row.definition), new: sideOf(row.found) };
}

function sideOf(text: string | null): Side | null {
  const definition = text === null ? null : parseDefinition(text);
  if (definition === null) return null;
  const { title = null, description, access, inputSchema, app, visibility } = definition;
  return {
    title,
    description,
    access,
    schema: showSchema(inputSchema),
    ...(app && { app }),
    ...(visibility && { visibility }),
  };
}
