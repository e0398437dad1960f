// Names imports and their tools: short, readable, and the same each time. decision: 042

export type Sha256 = (text: string) => string;

const IMPORT_NAME = /^[a-z][a-z0-9_]{0,31}$/;
const MAX_IMPORT_NAME = 32;
const MAX_TOOL_NAME = 64;
/** A longer source name would be work without end. */
const MAX_READ = 1_000;
/** What nearly every server calls itself, and so names none. */
const NOISE = new Set(['mcp', 'server', 'servers', 'api', 'remote', 'www', 'sse', 'http', 'https']);
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|edu)$/;

export function isImportName(text: string): boolean {
  return IMPORT_NAME.test(text);
}

/** Makes a valid name out of what a server calls itself, of its host or of its address. */
export function nameImport(text: string): string {
  const words = wordsOfName(text.slice(0, MAX_READ).trim());
  const telling = words.filter((word) => !NOISE.has(word));
  const [first = 'imported', ...rest] = telling.length > 0 ? telling : words;
  let name = (/^[a-z]/.test(first) ? first : `app_${first}`).slice(0, MAX_IMPORT_NAME);
  for (const word of rest) {
    if (name.length + 1 + word.length > MAX_IMPORT_NAME) break;
    name += `_${word}`;
  }
  return name;
}

function wordsOfName(text: string): string[] {
  const host = hostOf(text);
  if (host === null) {
    // A package or a registry says its owner before the slash: io.github.owner/name.
    const own = text.split('/').findLast((part) => part.trim() !== '') ?? '';
    // Brands write capitals within a word: GitHub is one word.
    return snakeCase(own.toLowerCase()).split('_').filter(Boolean);
  }
  const labels = host.split('.');
  if (labels.length === 1 || labels.every((label) => /^\d+$/.test(label))) return [snakeCase(host)];
  const [country = '', second = ''] = labels.toReversed();
  const suffix = labels.length > 2 && country.length === 2 && SECOND_LEVEL.test(second) ? 2 : 1;
  // mcp.docs.example.com becomes example_docs.
  return labels.slice(0, -suffix).toReversed().map(snakeCase).filter(Boolean);
}

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?$/i;

function hostOf(text: string): string | null {
  if (HOST.test(text) && !text.startsWith('io.')) return text.replace(/:\d+$/, '').toLowerCase();
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url === null ? null : url.hostname.replace(/^\[|\]$/g, '');
}

/** Writes a name in snake_case. Letters lose their accents, and anything else becomes an underscore. */
export function snakeCase(text: string): string {
  return (
    text
      .slice(0, MAX_READ)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      // HTMLPage is html_page, but PRs is prs.
      .replace(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
  );
}

export interface Naming {
  isTaken: (name: string) => boolean;
  /** The names that the tools of this import have had so far. */
  known?: ReadonlySet<string>;
  sha256: Sha256;
}

/**
 * Names tools by their source names, which are all different. Tools that would have the same name, or that of a tool that
 * `isTaken`, have a hash of their source name behind it: no other tool and no order changes that. A tool keeps such a name
 * when the plain one becomes free. A source name without a free name is missing in the answer. It yields after each name,
 * so that others can have their turn.
 */
export function* nameTools(
  importName: string,
  sources: readonly string[],
  { isTaken, known, sha256 }: Naming,
): Generator<undefined, Map<string, string>> {
  let open: Unnamed[] = [];
  for (const source of sources) {
    open.push({ source, ...plainName(importName, source) });
    yield;
  }
  const named = new Map<string, string>();
  const used = new Set<string>();
  for (const digits of [0, 8, 24]) {
    const wanted = open.map((tool) => ({ ...tool, name: withHash(tool, digits, sha256) }));
    yield;
    const claims = Map.groupBy(wanted, ({ name }) => name);
    const isFree = (name: string) => claims.get(name)?.length === 1 && !used.has(name) && !isTaken(name);
    const isMoved = (tool: Unnamed, name: string) =>
      digits === 0 && known?.has(name) === false && known.has(withHash(tool, 8, sha256));
    for (const tool of wanted)
      if (isFree(tool.name) && !isMoved(tool, tool.name)) named.set(tool.source, tool.name);
    for (const name of claims.keys()) used.add(name);
    open = open.filter(({ source }) => !named.has(source));
  }
  return named;
}

interface Unnamed {
  source: string;
  plain: string;
  isUnclear: boolean;
}

/** An unclear name needs a hash, whatever other tools are called. */
function plainName(importName: string, source: string): { plain: string; isUnclear: boolean } {
  const tool = snakeCase(source);
  const plain = tool.startsWith(`${importName}_`) ? tool : `${importName}_${tool || 'tool'}`;
  return { plain, isUnclear: plain.length > MAX_TOOL_NAME || source.length > MAX_READ || tool === '' };
}

function withHash({ plain, source, isUnclear }: Unnamed, digits: number, sha256: Sha256): string {
  const needed = Math.max(digits, isUnclear ? 8 : 0);
  return needed === 0 ? plain : withDigits(plain, sha256(source).slice(0, needed));
}

/** Names a tool whose name an older import has. `key` names the import and the tool. */
export const nameBeside = (name: string, key: string, sha256: Sha256): string =>
  withDigits(name, sha256(key).slice(0, 8));

const withDigits = (name: string, digits: string): string =>
  `${name.slice(0, MAX_TOOL_NAME - digits.length - 1).replace(/_$/, '')}_${digits}`;
