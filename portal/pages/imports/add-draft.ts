// Holds what the person decides about a service that was found, checks it, and turns it into the gateway's form.
import type { ImportForm, ImportSource, Preview } from '../../api/import-changes.ts';
import { importsTexts } from '../../texts/imports.ts';
import { isChosen, listChosen, NOTHING_CHANGED, type Selection } from './selection.ts';
import { draftOf, findProblem, givenAuth, needsClient, type WayDraft } from './way.ts';

const words = importsTexts.add;
const MAX_NAME = 32;
/** The address of the page that adds a service would hide the page of an import with this name. */
const RESERVED = ['add'];

/** A preview, and the address or document that it shows. */
export interface Found {
  source: ImportSource;
  preview: Preview;
}

export interface AddDraft {
  displayName: string;
  name: string;
  base: string;
  way: WayDraft;
  selection: Selection;
  for: 'me' | 'everyone';
}

export function startDraft({ displayName, name, base = '', auth, otherAuth }: Preview): AddDraft {
  return { displayName, name, base, way: draftOf(auth, otherAuth), selection: NOTHING_CHANGED, for: 'me' };
}

export type Problems = Partial<Record<'displayName' | 'name' | 'base' | 'way' | 'tools', string>>;

export function findProblems(draft: AddDraft, preview: Preview, taken: ReadonlySet<string>): Problems {
  const { auth, otherAuth = [], tools, kind } = preview;
  const way = findProblem(draft.way, needsClient(kind, [auth, ...otherAuth]));
  const base = findBaseProblem(draft.base.trim());
  const name = findNameProblem(draft.name, taken);
  const isEmpty = tools.length > 0 && !tools.some((tool) => isChosen(tool, draft.selection));
  return {
    ...(draft.displayName.trim() === '' ? { displayName: importsTexts.add.nameMissing } : {}),
    ...(name === '' ? {} : { name }),
    ...(kind === 'openapi' && base !== '' ? { base } : {}),
    ...(way === '' ? {} : { way }),
    ...(isEmpty ? { tools: words.noneChosen } : {}),
  };
}

function findBaseProblem(base: string): string {
  if (/[{}]/.test(base)) return words.baseBraces;
  return /^https?:\/\/\S+$/i.test(base) ? '' : words.notAddress;
}

/** Checks the short name. An empty text means that it is fine. */
export function findNameProblem(name: string, taken: ReadonlySet<string>): string {
  if (name === '') return words.nameMissing;
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return words.nameWrong;
  if (name.length > MAX_NAME) return words.nameLong;
  if (RESERVED.includes(name)) return words.nameReserved;
  return taken.has(name) ? words.nameTaken(name) : '';
}

/** Leaves out everything that the person kept as the preview found it. */
export function formOf({ source, preview }: Found, draft: AddDraft): ImportForm {
  const { auth, otherAuth = [], kind } = preview;
  const given = givenAuth(draft.way, auth, otherAuth);
  const base = draft.base.trim();
  return {
    // A page leads to the description, which is what the import is made of.
    ...('address' in source ? { address: preview.address ?? source.address } : source),
    kind,
    name: draft.name,
    displayName: draft.displayName.trim(),
    for: draft.for,
    ...listChosen(preview.tools, draft.selection),
    ...(Object.keys(draft.selection.access).length === 0 ? {} : { access: draft.selection.access }),
    ...(given === undefined ? {} : { auth: given }),
    ...(base === '' || base === preview.base ? {} : { base }),
  };
}
