// Divides the built portal into few files, and writes the document of each first page. Runs in the build only.
// decision: 078
import { FIRST_PAGES } from './portal/first-requests.ts';

// The names of modules have slashes on every system.
const PORTAL = `${import.meta.dirname.replaceAll('\\', '/')}/portal/`;
const APP = 'main.tsx';
const FIRST_STEPS = 'pages/integrations/first-steps.tsx';
/** The gallery loads it last. */
const MORE = 'pages/imports/more-services.tsx';
/** Shared sources below this length are no file of their own. */
const SMALL = 5000;
const PARTS = [...new Set(FIRST_PAGES.flatMap(({ part = [] }) => part))];

interface Modules {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

interface ModuleInfo {
  code: string | null;
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

interface Chunk {
  type: 'chunk';
  fileName: string;
  imports: string[];
  moduleIds: string[];
  viteMetadata?: { importedCss: Set<string> };
}

interface Asset {
  type: 'asset';
  fileName: string;
  source: string | Uint8Array;
}

export type Bundle = Record<string, Chunk | Asset>;

/** The app and the modules that parts of the gallery share with other pages: a fresh gateway shows both. */
export function appGroupOf(id: string, modules: Modules): string | null {
  if (closureOf(PORTAL + APP, modules).has(id)) return 'app';
  const { pages, isShared } = usersOf(id, modules);
  const isOfGallery =
    pages.includes(FIRST_STEPS) || (pages.length > 0 && closureOf(PORTAL + MORE, modules).has(id));
  return isOfGallery && isShared ? 'app' : null;
}

/** What three and more of the first pages use, the style of all of them, and what fewer share when that is little. */
export function partsGroupOf(id: string, modules: Modules): string | null {
  const { pages, isShared } = usersOf(id, modules);
  if (pages.length === 0) return null;
  if (pages.length > 2 || id.endsWith('.css')) return 'parts';
  return isShared && sizeOf(nameOf(pages), modules) < SMALL ? 'parts' : null;
}

/** What two of them share, or one of them and pages that are seldom the first. */
export function pairGroupOf(id: string, modules: Modules): string | null {
  const { pages, isShared } = usersOf(id, modules);
  return pages.length > 0 && isShared ? nameOf(pages) : null;
}

const nameOf = (pages: readonly string[]): string =>
  pages
    .map((part) =>
      part.replace(/^pages\/(?:(.*)\/page|.*\/(.*))\.tsx$/, (_, folder, file) => String(folder ?? file)),
    )
    .join('-and-');

/** The first pages that need the module, and whether any other part that is loaded on demand needs it too. */
function usersOf(id: string, modules: Modules): { pages: string[]; isShared: boolean } {
  const users = demandedParts(modules).filter((part) => closureOf(part, modules).has(id));
  return { pages: PARTS.filter((part) => users.includes(PORTAL + part)), isShared: users.length > 1 };
}

/** The length of the sources of what exactly these pages share. */
function sizeOf(name: string, modules: Modules): number {
  if (sizes.size === 0)
    for (const id of new Set(demandedParts(modules).flatMap((part) => [...closureOf(part, modules)]))) {
      const { pages, isShared } = usersOf(id, modules);
      const length = modules.getModuleInfo(id)?.code?.length ?? 0;
      if (isShared && !id.endsWith('.css'))
        sizes.set(nameOf(pages), (sizes.get(nameOf(pages)) ?? 0) + length);
    }
  return sizes.get(name) ?? 0;
}

const sizes = new Map<string, number>();
const closures = new Map<string, Set<string>>();
const demanded = new Set<string>();

/** Everything that is loaded together with the module. */
function closureOf(root: string, modules: Modules): Set<string> {
  const known = closures.get(root);
  if (known !== undefined) return known;
  const closure = new Set<string>();
  const left = [root];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (closure.has(id)) continue;
    closure.add(id);
    left.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  closures.set(root, closure);
  return closure;
}

/** All modules that are loaded on demand. */
function demandedParts(modules: Modules): string[] {
  const left = demanded.size === 0 ? [PORTAL + APP] : [];
  for (let root = left.pop(); root !== undefined; root = left.pop())
    for (const id of closureOf(root, modules))
      for (const part of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
        if (!demanded.has(part)) {
          demanded.add(part);
          left.push(part);
        }
  return [...demanded];
}

/** Returns the document of all pages, those of the first pages, and the list that says which is whose. */
export function documentsOf(bundle: Bundle): [fileName: string, source: string][] {
  const index = bundle['index.html'];
  if (index?.type !== 'asset') throw new TypeError('the build made no index.html');
  const first = [...partsOf(bundle, APP)];
  const html = withLinks(String(index.source), first);
  index.source = html;
  const documents: [string, string][] = [];
  const list: [pattern: string, fileName: string][] = [];
  for (const { pattern, part } of FIRST_PAGES) {
    if (part === undefined) {
      list.push([pattern, 'index.html']);
      continue;
    }
    const fileName = `pages/${nameOf([part])}.html`;
    const parts = [...partsOf(bundle, part)].filter((file) => !first.includes(file));
    list.push([pattern, fileName]);
    if (!documents.some(([name]) => name === fileName)) documents.push([fileName, withLinks(html, parts)]);
  }
  return [...documents, ['pages.json', JSON.stringify(list)]];
}

function withLinks(html: string, files: readonly string[]): string {
  const links = files
    .filter((file) => !html.includes(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    );
  return html.replace('</head>', `${links.join('')}</head>`);
}

/** The files of a module and of everything that it needs, in the order in which the loader asks for them. */
function partsOf(bundle: Bundle, path: string): Set<string> {
  const files = new Set<string>();
  const add = (chunk: Chunk) => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const name of chunk.imports) {
      const next = bundle[name];
      if (next?.type === 'chunk') add(next);
    }
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  };
  const id = PORTAL + path;
  const chunk = Object.values(bundle).find((each) => each.type === 'chunk' && each.moduleIds.includes(id));
  if (chunk?.type !== 'chunk') throw new TypeError(`the build has no ${path}`);
  add(chunk);
  return files;
}
