// What a jot becomes: its files, its settings, and which blobs it leaves behind.
import { JOT_RETIRED_SECONDS } from '../../config/limits.ts';
import type { Jot } from '../../ports/records.ts';
import { type Caps, createCounter } from '../unpacking/caps.ts';
import type { Manifest, RetiredBlob, StoredFile } from '../manifest.ts';
import { INDEX } from '../names.ts';
import type { Order } from './deploy-request.ts';
import { createTree } from '../unpacking/paths.ts';
import { Refused } from '../refused.ts';

type Files = ReadonlyMap<string, StoredFile>;

export interface MergeRules {
  /** By hash, what may be referred to again. */
  known: ReadonlyMap<string, StoredFile>;
  owns: (key: string) => boolean;
  caps: Caps;
}

/** spec: Patch mode: the live tree, the delete list applied, then the upload over it. */
export function mergedFiles(order: Order, old: Manifest, staged: Files, rules: MergeRules): Files {
  const files = order.kind === 'replace' ? staged : new Map([...without(old.files, order.delete), ...staged]);
  refuseBadTree(files, rules.caps);
  return new Map([...files].map(([path, file]) => [path, standing(file, rules)]));
}

/** Each path deletes that file, or everything below that folder. */
function* without(files: Files, gone: readonly string[]): Iterable<[string, StoredFile]> {
  const named = new Set(gone);
  for (const [path, file] of files) if (!isNamed(path, named)) yield [path, file];
}

function isNamed(path: string, named: ReadonlySet<string>): boolean {
  for (let end = path.length; end !== -1; end = path.lastIndexOf('/', end - 1))
    if (named.has(path.slice(0, end))) return true;
  return false;
}

function refuseBadTree(files: Files, caps: Caps): void {
  const counter = createCounter(caps);
  const tree = createTree(caps);
  for (const [path, { size }] of files) {
    counter.add(size);
    tree.file(path);
  }
  if (!files.has(INDEX)) throw new Refused('NO_INDEX', `A jot needs an ${INDEX} at its root`);
}

/** A blob that was there when the upload began may have gone since: then the jot must not refer to it. */
function standing(file: StoredFile, { known, owns }: MergeRules): StoredFile {
  if (owns(file.key)) return file;
  const found = known.get(file.hash);
  if (found !== undefined) return found;
  throw new Refused('DEPLOY_FAILED', 'The jot was changed while this upload was under way; upload it again');
}

/** The next manifest: what is no longer referred to is retired, and the long retired is forgotten. */
export function succeed(old: Manifest, files: Files, oldManifest: string | null, now: number): Manifest {
  const used = new Set([...files.values()].map(({ key }) => key));
  const left = [...old.files.values()];
  if (oldManifest !== null) left.push({ key: oldManifest, hash: '', size: 0 });
  const retired = new Map<string, RetiredBlob>();
  for (const blob of old.retired) if (blob.at > now - JOT_RETIRED_SECONDS) retired.set(blob.file.key, blob);
  for (const file of left) retired.set(file.key, { file, at: now });
  return { files, retired: [...retired.values()].filter(({ file }) => !used.has(file.key)) };
}

/** spec: Patch mode: access and password are those of the live jot, never of the token. */
export function settingsAfter(
  order: Order,
  seen: Jot | null,
): Pick<Jot, 'access' | 'password_hash' | 'cors'> {
  if (order.kind === 'patch') {
    if (seen === null) throw new TypeError('a patch has a jot to patch');
    return { access: seen.access, password_hash: seen.password_hash, cors: seen.cors };
  }
  if (order.access === 'public') return { access: 'public', password_hash: null, cors: order.cors };
  const password_hash = order.password_hash ?? seen?.password_hash ?? null;
  if (password_hash === null) throw new Refused('PASSWORD_RULE', 'The jot has no password to keep; give one');
  return { access: 'password', password_hash, cors: order.cors };
}
