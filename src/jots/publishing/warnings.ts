// Warns the publisher about what readers of the jot would find broken. decision: 059
import type { Ports } from '../../ports/ports.ts';
import type { Deployed } from './deploy.ts';
import { INDEX } from '../names.ts';
import type { JotReader } from '../serving/reader.ts';

const MAX_INDEX_BYTES = 512 * 1024;
const MAX_NAMED_FILES = 5;
// Matches the tags that load a file; <a> and <form> only link to it. Each pattern takes linear time on any page.
const LOADING_TAG =
  /<(?:script|link|img|source|video|audio|track|iframe|embed|object|input|image|use)\b[^<>]*>/gi;
const ATTRIBUTE = /\s(?:src|href|data|poster|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const IN_STYLE = /\burl\(\s*["']?([^"')\s]+)/gi;
const IN_SCRIPT = /\b(?:from|import|fetch)\s*(?:\(\s*)?["']([^"']+)["']/g;

export type FindWarnings = (deployed: Deployed, wasLocked: boolean) => Promise<string[]>;

export function createWarnings({
  config,
  reader,
}: Pick<Ports, 'config'> & { reader: JotReader }): FindWarnings {
  return async function findWarnings({ jot, manifest }, wasLocked) {
    const warnings: string[] = [];
    if (wasLocked && jot.access === 'public')
      warnings.push(
        'This jot had a password and is public now; deploy it with access "password" to lock it.',
      );
    const index = manifest.files.get(INDEX);
    const opaque = config.JOTS_ORIGIN === undefined && (jot.access === 'password' || !jot.cors);
    if (!opaque || index === undefined || index.size > MAX_INDEX_BYTES) return warnings;
    const body = await reader.readFile(index);
    const named = body === null ? [] : findNamedFiles(await new Response(body).text(), manifest.files);
    if (named.length === 0) return warnings;
    const list = named.slice(0, MAX_NAMED_FILES).join(', ') + (named.length > MAX_NAMED_FILES ? ', …' : '');
    const cure =
      jot.access === 'public'
        ? 'Set cors to true, or put everything into index.html.'
        : 'Put everything into index.html; cors does nothing on a jot with a password.';
    warnings.push(`Browsers will not load these files of the jot for index.html (${list}). ${cure}`);
    return warnings;
  };
}

function findNamedFiles(html: string, files: ReadonlyMap<string, unknown>): string[] {
  const attributes = [...html.matchAll(LOADING_TAG)].flatMap(([tag]) => [...tag.matchAll(ATTRIBUTE)]);
  const named = [...attributes, ...html.matchAll(IN_STYLE), ...html.matchAll(IN_SCRIPT)].map(([, ...found]) =>
    toJotPath(found.find((each) => each !== undefined) ?? ''),
  );
  return [...new Set(named)].filter((path) => path !== INDEX && files.has(path));
}

const HOME = 'http://gateway/j/jot/';

/** Returns the path within the jot that the address leads to, or an empty text for an address elsewhere. */
function toJotPath(address: string): string {
  const url = URL.parse(address, HOME);
  if (url === null || !url.href.startsWith(HOME)) return '';
  try {
    return decodeURIComponent(`${url.origin}${url.pathname}`.slice(HOME.length));
  } catch {
    return '';
  }
}
