// What the tools of Dropbox have in common: arguments in a body or in a header, and files in the same form.
import * as z from 'zod';
import { asciiJson } from '../../src/kit/ascii-json.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();

const PATH = /^(\/.*|(id|rev|ns):.*)?$/s;
/** Dropbox calls its root an empty text. */
const toPath = (given: string): string => (given === '/' ? '' : given);
const anyPath = text.regex(PATH, 'begins with / or id:');
export const folder = () =>
  anyPath
    .transform(toPath)
    .default('')
    .describe('Path of the folder, such as /Reports, or its id; the root by default');
export const path = anyPath.describe('Path, such as /Reports/plan.pdf, or id from dropbox_list_folder');
export const cursor = some.describe('cursor of the previous page, in place of the other arguments');

/** A request without arguments has to say `null`. */
export const withoutArguments = (address: string): UpstreamCall => ({
  method: 'POST',
  path: address,
  headers: { 'content-type': 'application/json' },
  body: 'null',
});

/** The bytes of a file are the body, so the arguments go into a header, in ASCII. */
export const contentCall = (address: string, args: Record<string, unknown>): UpstreamCall => ({
  method: 'POST',
  at: 'content',
  path: address,
  headers: {
    accept: '*/*',
    'content-type': 'application/octet-stream',
    'dropbox-api-arg': asciiJson(args),
  },
});

const Entry = z.lazy(() =>
  z.looseObject({
    '.tag': text.optional(),
    id: text.optional(),
    name: text.optional(),
    path_display: text.optional(),
    size: z.number().optional(),
    server_modified: text.optional(),
    rev: text.optional(),
    is_downloadable: z.boolean().optional(),
    export_info: z.looseObject({ export_as: text.optional() }).optional(),
  }),
);

/** A file or a folder, without what only synchronization needs. */
export function showEntry(payload: unknown): Record<string, unknown> {
  const entry = Entry.parse(payload);
  const shown = {
    type: entry['.tag'],
    id: entry.id,
    name: entry.name,
    path: entry.path_display,
    bytes: entry.size,
    modifiedAt: entry.server_modified,
    rev: entry.rev,
    // Only files that have no bytes of their own are not downloadable.
    exportAs: entry.is_downloadable === false ? (entry.export_info?.export_as ?? 'nothing') : undefined,
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

const Wrapped = z.lazy(() => z.looseObject({ metadata: z.looseObject({}) }));

export const showWrapped = (payload: unknown): Record<string, unknown> =>
  showEntry(Wrapped.parse(payload).metadata);
