// Describes the files that a person wants to publish, and makes a site of what was dropped or chosen.
import { texts } from '../../../texts/texts.ts';

const { errors } = texts.jots.publish;

export interface SiteFile {
  path: string;
  content: Blob;
}

export interface Site {
  /** A name for the jot, made of the name of the folder or the zip file. May be empty. */
  name: string;
  files: readonly SiteFile[];
  bytes: number;
  /** What operating systems and tools leave in folders, and nobody means to publish. */
  skipped: readonly string[];
}

/** What the person can read and act on. */
export class SiteProblem extends Error {}

const JUNK = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', '__MACOSX', '.git', '.svn', '.hg']);
const MAX_NAME_LENGTH = 63;

/** `source` is the name of the folder or the zip file. */
export function toSite(source: string, found: readonly SiteFile[]): Site {
  const skipped = new Set<string>();
  const wanted = found.filter(({ path }) => {
    const junk = path.split('/').find((part) => JUNK.has(part) || part.startsWith('._'));
    if (junk !== undefined) skipped.add(junk);
    return junk === undefined;
  });
  const files = nameIndex(stripFolders(wanted));
  if (files.length === 0) throw new SiteProblem(errors.empty);
  if (!files.some(({ path }) => path === 'index.html')) throw new SiteProblem(errors.noIndex);
  const bytes = files.reduce((sum, { content }) => sum + content.size, 0);
  return { name: toJotName(source), files, bytes, skipped: [...skipped] };
}

/** Removes the folders around a site: people drop and zip the folder with its content. */
function stripFolders(files: readonly SiteFile[]): readonly SiteFile[] {
  const [first] = files;
  const end = first?.path.indexOf('/') ?? -1;
  if (first === undefined || end === -1) return files;
  const folder = first.path.slice(0, end + 1);
  if (!files.every(({ path }) => path.startsWith(folder))) return files;
  return stripFolders(files.map(({ path, content }) => ({ path: path.slice(folder.length), content })));
}

/** A page that is alone is the index, whatever its name. */
function nameIndex(files: readonly SiteFile[]): readonly SiteFile[] {
  const [only, ...others] = files;
  if (only === undefined || others.length > 0 || !/\.html?$/i.test(only.path)) return files;
  return [{ path: 'index.html', content: only.content }];
}

/** Names of jots have a-z, 0-9 and hyphens, and begin and end with a letter or digit. */
function toJotName(source: string): string {
  return source
    .replace(/\.(?:zip|html?)$/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, '');
}
