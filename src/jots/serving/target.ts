// Parses the raw path of a request below /j/. Routers decode paths, and some resolve dots, so theirs is too late.
import { INDEX, isJotName, MANIFEST_NAME } from '../model/names.ts';

export type Target =
  | { kind: 'file'; name: string; path: string }
  | { kind: 'traversal' }
  | { kind: 'nothing' };

const TRAVERSAL = /(?:^|[/\\])(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i;

/** Takes the raw request target, before anything resolves its dots. */
export function isTraversal(target: string): boolean {
  return target.startsWith('/j/') && TRAVERSAL.test(target.split('?', 1)[0] ?? '');
}

/** Takes an absolute URL. */
export const readTarget = (url: string): Target => readPath(rawPath(url));

/** Takes a path from `withoutQuery`. */
export function readPath(path: string): Target {
  const slash = path.indexOf('/', 3);
  const name = path.slice(3, slash === -1 ? undefined : slash);
  if (!isJotName(name)) return { kind: 'nothing' };
  const decoded = decode(path.slice(4 + name.length));
  if (decoded === null) return { kind: 'nothing' };
  if (decoded.split(/[/\\]/).includes('..')) return { kind: 'traversal' };
  if (decoded === MANIFEST_NAME) return { kind: 'nothing' };
  return { kind: 'file', name, path: decoded };
}

function rawPath(url: string): string {
  return withoutQuery(url.slice(url.indexOf('/', url.indexOf('//') + 2)));
}

export function withoutQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

function decode(path: string): string | null {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** A request for a folder finds the index of the folder. */
export function findFile<F>(files: ReadonlyMap<string, F>, path: string): { path: string; file: F } | null {
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  for (const candidate of path === folder ? [`${folder}${INDEX}`] : [path, `${folder}${INDEX}`]) {
    const file = files.get(candidate);
    if (file !== undefined) return { path: candidate, file };
  }
  return null;
}
