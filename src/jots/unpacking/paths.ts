// Which paths a jot may hold: relative, normalised, readable, and no two that some disk would take for one. design: J3
import { type Caps, FOLDERS_PER_FILE, tooManyFiles } from './caps.ts';
import { MANIFEST_NAME } from '../names.ts';
import { Refused } from '../refused.ts';

const LONGEST_PATH = 1_024;
// Controls (C0, DEL, C1), line separators, what turns the reading direction, the byte order mark, and what stands for
// bytes that were no UTF-8.
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- controls are what it looks for
  /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFD\\]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** The path as it is kept, without a leading `./`. */
export function toPath(raw: string): string {
  const path = raw.startsWith('./') ? raw.slice(2) : raw;
  const wrong = whatIsWrong(path);
  if (wrong !== null) throw new Refused('INVALID_PATH', `${JSON.stringify(raw.slice(0, 200))} ${wrong}`);
  return path;
}

function whatIsWrong(path: string): string | null {
  if (path === '') return 'is no path';
  if (path.length > LONGEST_PATH) return `is longer than ${LONGEST_PATH} characters`;
  if (path.startsWith('/')) return 'is absolute';
  if (FORBIDDEN.test(path)) return 'has a character that no path may have';
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'is not a normalised path';
  return fold(path) === MANIFEST_NAME ? 'is the name of the manifest' : null;
}

/** Equal for names that a disk which folds case or composes accents keeps as one. */
const fold = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase();

/** Notes every file and folder of a tree, and refuses what cannot stand beside the others. */
export interface Tree {
  file(path: string): void;
  folder(path: string): void;
}

export function createTree(caps: Pick<Caps, 'files'>): Tree {
  const seen = new Map<string, { path: string; kind: 'file' | 'folder' }>();
  let folders = 0;

  function note(path: string, kind: 'file' | 'folder'): void {
    const key = fold(path);
    const other = seen.get(key);
    if (other === undefined) seen.set(key, { path, kind });
    else if (other.path !== path) throw collision(path, `collides with ${JSON.stringify(other.path)}`);
    else if (other.kind !== kind) throw collision(path, 'is used both as a file and as a folder');
    else if (kind === 'file') throw collision(path, 'is there twice');
  }

  function folder(path: string): void {
    const known = seen.get(fold(path));
    // Then those above it are known too.
    if (known?.path === path && known.kind === 'folder') return;
    // A path of a kilobyte can name five hundred.
    if (++folders > caps.files * FOLDERS_PER_FILE) throw tooManyFiles(caps);
    const slash = path.lastIndexOf('/');
    if (slash !== -1) folder(path.slice(0, slash));
    note(path, 'folder');
  }

  return {
    folder,
    file(path) {
      const slash = path.lastIndexOf('/');
      if (slash !== -1) folder(path.slice(0, slash));
      note(path, 'file');
    },
  };
}

const collision = (path: string, what: string) =>
  new Refused('INVALID_PATH', `${JSON.stringify(path)} ${what}`);
