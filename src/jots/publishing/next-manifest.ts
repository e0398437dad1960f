// Decides what a jot becomes: its files and its settings.
import type { Jot } from '../../ports/records.ts';
import { JotRefused } from '../model/jot-refused.ts';
import type { Manifest, StoredFile } from '../model/manifest.ts';
import { INDEX } from '../model/names.ts';
import { createContentCounter, type JotLimits } from '../unpacking/jot-limits.ts';
import { createTree } from '../unpacking/paths.ts';
import { decideCors } from './cors.ts';
import type { DeployRequest } from './deploy-request.ts';

type Files = ReadonlyMap<string, StoredFile>;

export interface MergeRules {
  /** The blobs that the jot may refer to again, by hash. */
  known: ReadonlyMap<string, StoredFile>;
  owns: (key: string) => boolean;
  limits: JotLimits;
}

/** A patch deletes from the live files first and then adds the upload. reference: Jot uploads */
export function mergeFiles(request: DeployRequest, old: Manifest, staged: Files, rules: MergeRules): Files {
  const files =
    request.kind === 'replace' || request.whole
      ? staged
      : new Map([...listKept(old.files, request.delete), ...staged]);
  refuseBadTree(files, rules.limits);
  return new Map([...files].map(([path, file]) => [path, resolveStored(file, rules)]));
}

/** Each deleted path names a file, or a folder with everything in it. */
function* listKept(files: Files, deleted: readonly string[]): Iterable<[string, StoredFile]> {
  const named = new Set(deleted);
  for (const [path, file] of files) if (!isNamed(path, named)) yield [path, file];
}

function isNamed(path: string, named: ReadonlySet<string>): boolean {
  for (let end = path.length; end !== -1; end = path.lastIndexOf('/', end - 1))
    if (named.has(path.slice(0, end))) return true;
  return false;
}

function refuseBadTree(files: Files, limits: JotLimits): void {
  const countFile = createContentCounter(limits);
  const tree = createTree(limits);
  for (const [path, { size }] of files) {
    countFile(size);
    tree.addFile(path);
  }
  if (!files.has(INDEX)) throw new JotRefused('NO_INDEX', `A jot needs an ${INDEX} at its root`);
}

/** Finds the blob of a file now: the sweep may have removed the blob that was there when the upload began. */
function resolveStored(file: StoredFile, { known, owns }: MergeRules): StoredFile {
  if (owns(file.key)) return file;
  const found = known.get(file.hash);
  if (found !== undefined) return found;
  throw new JotRefused('DEPLOY_FAILED', 'The jot was changed during this upload. Upload it again');
}

/** A patch keeps the settings of the live jot; its token does not carry them. reference: Jot uploads */
export function nextSettings(
  request: DeployRequest,
  live: Jot | null,
  files: number,
): Pick<Jot, 'access' | 'password_hash' | 'cors' | 'cors_chosen'> {
  if (request.kind === 'patch') {
    if (live === null) throw new TypeError('a patch has a jot to patch');
    const { access, password_hash } = live;
    return { access, password_hash, ...decideCors(undefined, { access, files }, live) };
  }
  const { access } = request;
  const cors = decideCors(request.cors_chosen ? request.cors : undefined, { access, files }, null);
  if (access === 'public') return { access, password_hash: null, ...cors };
  const password_hash = request.password_hash ?? live?.password_hash ?? null;
  if (password_hash === null)
    throw new JotRefused('PASSWORD_RULE', 'The jot has no password to keep; give one');
  return { access, password_hash, ...cors };
}
