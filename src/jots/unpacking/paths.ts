// Checks the paths of a jot: relative, normalised, readable, and no two that a disk would take for the same. decision: 049
import { JotRefused } from '../model/jot-refused.ts';
import { MANIFEST_NAME } from '../model/names.ts';
import { type JotLimits, MAX_FOLDERS_PER_FILE, tooManyFiles } from './jot-limits.ts';

const MAX_PATH_LENGTH = 1_024;
// Matches controls (C0, DEL, C1), line separators, characters that change the reading direction, the byte order mark,
// the replacement character (the decoder writes it for bytes that are not UTF-8) and halves of surrogate pairs.
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- controls are what it looks for
  /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFD\\]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Returns the path as a jot stores it, without a leading `./`. Throws where no jot may hold it. */
export function toPath(raw: string): string {
  const path = raw.startsWith('./') ? raw.slice(2) : raw;
  const fault = findFault(path);
  if (fault !== null) throw new JotRefused('INVALID_PATH', `${JSON.stringify(raw.slice(0, 200))} ${fault}`);
  return path;
}

function findFault(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  if (path.startsWith('/')) return 'is absolute';
  if (FORBIDDEN.test(path)) return 'contains a character that paths must not contain';
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'is not a normalised path';
  return fold(path) === MANIFEST_NAME ? 'is the name of the manifest' : null;
}

/** Gives equal results for paths that collide on a disk that ignores case or composes accents. */
const fold = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase();

/** Remembers every file and folder of a tree, and throws for one that collides with another. */
export interface Tree {
  addFile(path: string): void;
  addFolder(path: string): void;
}

export function createTree(limits: Pick<JotLimits, 'maxFiles'>): Tree {
  const seen = new Map<string, { path: string; kind: 'file' | 'folder' }>();
  let folders = 0;

  function add(path: string, kind: 'file' | 'folder'): void {
    const key = fold(path);
    const other = seen.get(key);
    if (other === undefined) seen.set(key, { path, kind });
    else if (other.path !== path) throw createCollision(path, `collides with ${JSON.stringify(other.path)}`);
    else if (other.kind !== kind) throw createCollision(path, 'is used both as a file and as a folder');
    else if (kind === 'file') throw createCollision(path, 'is there twice');
  }

  function addFolder(path: string): void {
    const known = seen.get(fold(path));
    // The folders above a known folder are known too.
    if (known?.path === path && known.kind === 'folder') return;
    // Files alone do not bound the folders: one path can name five hundred of them.
    if (++folders > limits.maxFiles * MAX_FOLDERS_PER_FILE) throw tooManyFiles(limits);
    addParent(path);
    add(path, 'folder');
  }

  function addParent(path: string): void {
    const slash = path.lastIndexOf('/');
    if (slash !== -1) addFolder(path.slice(0, slash));
  }

  return {
    addFolder,
    addFile(path) {
      addParent(path);
      add(path, 'file');
    },
  };
}

const createCollision = (path: string, what: string): JotRefused =>
  new JotRefused('INVALID_PATH', `${JSON.stringify(path)} ${what}`);
