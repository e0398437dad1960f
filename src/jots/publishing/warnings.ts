// Warns the publisher about what readers of the jot would find broken. decision: 048
import type { Ports } from '../../ports/ports.ts';
import type { Deployed } from './deploy.ts';
import { INDEX } from '../model/names.ts';
import { isOpen } from '../serving/headers.ts';
import type { JotReader } from '../serving/reader.ts';
import { findFile } from '../serving/target.ts';
import { type Ability, findReferences, type Reference } from './references.ts';

/** Bounds what a deploy reads back: this many pages, style sheets and scripts, and this many bytes of them. */
const MAX_READ_FILES = 10;
const MAX_READ_BYTES = 1024 * 1024;
const MAX_NAMED_FILES = 5;
/** A longer address is code or data, which these patterns took for an address. */
const MAX_ADDRESS_LENGTH = 200;
const ORIGIN = 'http://gateway';

export type FindWarnings = (deployed: Deployed, wasLocked: boolean) => Promise<string[]>;

type Place = 'inside' | 'missing' | 'outside' | 'elsewhere';

export function createWarnings({
  config,
  reader,
}: Pick<Ports, 'config'> & { reader: JotReader }): FindWarnings {
  const hasOwnOrigin = config.JOTS_ORIGIN !== undefined;

  async function readTexts({ manifest }: Deployed): Promise<[path: string, text: string][]> {
    const read = [];
    let bytes = 0;
    for (const [path, file] of sortIndexFirst(manifest.files)) {
      if (!/\.(?:html?|css|m?js)$/i.test(path) || bytes + file.size > MAX_READ_BYTES) continue;
      if (read.length === MAX_READ_FILES) break;
      bytes += file.size;
      read.push(readText(path, file));
    }
    return (await Promise.all(read)).flatMap((found) => (found === null ? [] : [found]));
  }

  async function readText(
    path: string,
    file: Parameters<JotReader['readFile']>[0],
  ): Promise<[string, string] | null> {
    const body = await reader.readFile(file);
    return body === null ? null : [path, await new Response(body).text()];
  }

  return async function findWarnings(deployed, wasLocked) {
    const { jot, manifest } = deployed;
    const named: Record<Place, Set<string>> = {
      inside: new Set(),
      missing: new Set(),
      outside: new Set(),
      elsewhere: new Set(),
    };
    const users = new Map<Ability, string[]>();
    for (const [path, text] of await readTexts(deployed)) {
      const findings = findReferences(path, text);
      for (const reference of findings?.references ?? []) {
        const { place, target } = locate(reference, jot.name, manifest.files);
        if (target !== path) named[place].add(target);
      }
      for (const ability of findings?.abilities ?? [])
        users.set(ability, [...(users.get(ability) ?? []), path]);
    }

    const warnings: string[] = [];
    if (wasLocked && jot.access === 'public')
      warnings.push(
        'This jot had a password and is public now; deploy it with access "password" to lock it.',
      );
    if (named.inside.size > 0 && !hasOwnOrigin && !isOpen(jot))
      warnings.push(
        `Browsers will not load these files for the pages of the jot (${list(named.inside)}). ${
          jot.access === 'public' ? BLOCKED_PUBLIC : BLOCKED_LOCKED
        }`,
      );
    if (named.outside.size > 0)
      warnings.push(
        `These addresses lead out of the jot (${list(named.outside)}). The jot is at /j/${jot.name}/, so use relative paths: style.css, not /style.css.`,
      );
    if (named.missing.size > 0)
      warnings.push(`The jot has no such files, but its pages load them (${list(named.missing)}).`);
    for (const [ability, text] of hasOwnOrigin ? NOWHERE : [...SANDBOXED, ...NOWHERE]) {
      const paths = users.get(ability);
      if (paths !== undefined) warnings.push(`${list(paths)}: ${text}`);
    }
    return warnings;
  };
}

const BLOCKED_PUBLIC = 'Set cors to true, or put everything into index.html.';
const BLOCKED_LOCKED =
  'With a password a page renders only as one self-contained file: its sandbox sends no cookie for scripts, styles, images and data, so they are refused, and cors does nothing. Put everything into index.html, make the jot public, or ask the operator to set JOTS_ORIGIN.';

const SANDBOXED: [Ability, string][] = [
  [
    'storage',
    'localStorage, sessionStorage, indexedDB and document.cookie throw a SecurityError, because pages run in a sandbox. Keep state in memory, and catch the error.',
  ],
  ['worker', 'the sandbox loads no worker from a file. Make it from a Blob, or do without it.'],
  ['frame', 'browsers show no page of a jot in an iframe. Put its content into the page, or link to it.'],
];
const NOWHERE: [Ability, string][] = [
  ['window', 'the sandbox opens no new windows. Leave out target="_blank" and window.open.'],
  ['dialog', 'the sandbox shows no alert, confirm or prompt. Show the text in the page.'],
];

function sortIndexFirst<F>(files: ReadonlyMap<string, F>): [string, F][] {
  return [...files].toSorted(([a], [b]) => Number(b === INDEX) - Number(a === INDEX));
}

function list(names: Iterable<string>): string {
  const all = [...names];
  return all.slice(0, MAX_NAMED_FILES).join(', ') + (all.length > MAX_NAMED_FILES ? ', …' : '');
}

/** Tells where an address leads; `target` names it for the publisher. */
function locate(
  { address, base }: Reference,
  name: string,
  files: ReadonlyMap<string, unknown>,
): { place: Place; target: string } {
  const home = `${ORIGIN}/j/${name}/`;
  // Braces and dollars belong to templates, which a script fills in.
  if (address.length > MAX_ADDRESS_LENGTH || /[{}$<>]/.test(address))
    return { place: 'elsewhere', target: address };
  const from = URL.parse(base, home);
  const url = from === null ? null : URL.parse(address, from);
  if (url?.origin !== ORIGIN) return { place: 'elsewhere', target: address };
  const path = url.href.startsWith(home) ? decode(url.pathname.slice(home.length - ORIGIN.length)) : null;
  if (path === null) return { place: 'outside', target: address };
  const found = findFile(files, path);
  return found === null ? { place: 'missing', target: path } : { place: 'inside', target: found.path };
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
