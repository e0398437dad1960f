// What a person who opens the jot would find broken, said to the one who publishes it. design: J4
import type { Ports } from '../../ports/ports.ts';
import type { Deployed } from './deploy.ts';
import { INDEX } from '../names.ts';
import type { JotReader } from '../serving/reader.ts';

const MAX_INDEX_BYTES = 512 * 1024;
const MAX_NAMED_FILES = 5;
// Tags that load what they name; <a> and <form> only lead there. Whatever the page holds, each of these passes it once.
const LOADING_TAG =
  /<(?:script|link|img|source|video|audio|track|iframe|embed|object|input|image|use)\b[^<>]*>/gi;
const ATTRIBUTE = /\s(?:src|href|data|poster|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const IN_STYLE = /\burl\(\s*["']?([^"')\s]+)/gi;
const IN_SCRIPT = /\b(?:from|import|fetch)\s*(?:\(\s*)?["']([^"']+)["']/g;

export type Warnings = (deployed: Deployed, wasLocked: boolean) => Promise<string[]>;

export function createWarnings({ config, reader }: Pick<Ports, 'config'> & { reader: JotReader }): Warnings {
  return async function warnings({ jot, manifest }, wasLocked) {
    const said: string[] = [];
    if (wasLocked && jot.access === 'public')
      said.push('This jot had a password and is public now; deploy it with access "password" to lock it.');
    const index = manifest.files.get(INDEX);
    const opaque = config.JOTS_ORIGIN === undefined && (jot.access === 'password' || !jot.cors);
    if (!opaque || index === undefined || index.size > MAX_INDEX_BYTES) return said;
    const body = await reader.whole(index);
    const named = body === null ? [] : ownFilesNamedIn(await new Response(body).text(), manifest.files);
    if (named.length === 0) return said;
    const list = named.slice(0, MAX_NAMED_FILES).join(', ') + (named.length > MAX_NAMED_FILES ? ', …' : '');
    const cure =
      jot.access === 'public'
        ? 'Set cors to true, or put everything into index.html.'
        : 'Put everything into index.html; cors does nothing on a jot with a password.';
    said.push(`Browsers will not load what index.html names in this jot (${list}). ${cure}`);
    return said;
  };
}

function ownFilesNamedIn(html: string, files: ReadonlyMap<string, unknown>): string[] {
  const attributes = [...html.matchAll(LOADING_TAG)].flatMap(([tag]) => [...tag.matchAll(ATTRIBUTE)]);
  const named = [...attributes, ...html.matchAll(IN_STYLE), ...html.matchAll(IN_SCRIPT)].map(([, ...found]) =>
    pathOf(found.find((each) => each !== undefined) ?? ''),
  );
  return [...new Set(named)].filter((path) => path !== INDEX && files.has(path));
}

const HOME = 'http://gateway/j/jot/';

/** Where it leads within the jot; an address elsewhere leads to no file. */
function pathOf(address: string): string {
  const url = URL.parse(address, HOME);
  if (url === null || !url.href.startsWith(HOME)) return '';
  try {
    return decodeURIComponent(`${url.origin}${url.pathname}`.slice(HOME.length));
  } catch {
    return '';
  }
}
