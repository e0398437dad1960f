// Finds which addresses a page, style sheet or script loads, and which abilities it uses that the sandbox takes away.

/** The first three work where jots have an origin of their own, the others nowhere. decision: 048 */
export type Ability = 'storage' | 'worker' | 'frame' | 'window' | 'dialog';

export interface Reference {
  address: string;
  /** The path within the jot, or the address, that the address is relative to. */
  base: string;
}

export interface Findings {
  references: Reference[];
  abilities: ReadonlySet<Ability>;
}

// Matches the tags that load a file; <a> and <form> only link to it. Each pattern takes linear time on any page.
const LOADING_TAG =
  /<(?:script|link|img|source|video|audio|track|iframe|embed|object|input|image|use)\b[^<>]*>/gi;
const ATTRIBUTE = /\s(?:src|href|data|poster|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const BASE_TAG = /<base\b[^<>]*>/i;
const IDLE_LINK =
  /\srel\s*=\s*["']?(?:alternate|author|canonical|dns-prefetch|help|license|next|preconnect|prev|search)\b/i;
const IN_STYLE = /(?:\burl\(\s*["']?|@import\s+["'])([^"')\s]+)/g;
const IN_SCRIPT = /\b(from|import|fetch)\s*(?:\(\s*)?["']([^"']+)["']/g;

const OPENING = /<!--|<(?:script|style)\b[^<>]*>/gi;
const COMMENT_END = /-->/g;
const SCRIPT_END = /<\/script/gi;
const STYLE_END = /<\/style/gi;

const IN_CODE: [Ability, RegExp][] = [
  ['storage', /\b(?:localStorage|sessionStorage|indexedDB)\b|\bdocument\.cookie\b/],
  ['worker', /\bnew (?:Shared)?Worker\(|\bnavigator\.serviceWorker\b/],
  ['window', /\bwindow\.open\(/],
  ['dialog', /(?<![.\w$])(?:window\.)?(?:alert|confirm|prompt)\(/],
];
const NEW_WINDOW = /<(?:a|form)\b[^<>]*\starget\s*=\s*["']?_blank\b/i;

/** Returns null for a file of another kind. */
export function findReferences(path: string, text: string): Findings | null {
  switch (/\.(\w+)$/.exec(path)?.[1]?.toLowerCase()) {
    case 'html':
    case 'htm':
      return findInPage(path, text);
    case 'css':
      return { references: findInStyle(path, text), abilities: new Set() };
    case 'js':
    case 'mjs':
      return { references: findInScript(path, text), abilities: new Set(findAbilities(text)) };
    default:
      return null;
  }
}

function findInPage(path: string, html: string): Findings {
  const { markup, code } = splitPage(html);
  const base = BASE_TAG.exec(markup)?.[0].matchAll(ATTRIBUTE).next().value;
  const relativeTo = base === undefined ? path : valueOf(base);
  const abilities = new Set(findAbilities(code));
  const references = [...findInStyle(relativeTo, markup), ...findInScript(relativeTo, code)];
  for (const [tag] of markup.matchAll(LOADING_TAG)) {
    if (/^<link/i.test(tag) && IDLE_LINK.test(tag)) continue;
    for (const found of tag.matchAll(ATTRIBUTE)) {
      const address = valueOf(found);
      references.push({ address, base: relativeTo });
      if (/^<iframe/i.test(tag) && !/^(?:[a-z]+:|\/\/)/i.test(address)) abilities.add('frame');
    }
  }
  if (NEW_WINDOW.test(markup)) abilities.add('window');
  return { references, abilities };
}

/** Separates the scripts from everything else, and drops comments. */
function splitPage(html: string): { markup: string; code: string } {
  const markup = [];
  const code = [];
  let from = 0;
  for (;;) {
    const opening = matchFrom(OPENING, html, from);
    markup.push(html.slice(from, opening?.index));
    if (opening === null) break;
    const [tag] = opening;
    const isComment = tag === '<!--';
    const isScript = /^<script/i.test(tag);
    const inside = opening.index + tag.length;
    const closing = matchFrom(isComment ? COMMENT_END : isScript ? SCRIPT_END : STYLE_END, html, inside);
    const content = html.slice(inside, closing?.index);
    if (!isComment) markup.push(isScript ? tag : tag + content);
    if (isScript) code.push(content);
    // Browsers read an unclosed element to the end of the page.
    if (closing === null) break;
    from = closing.index + closing[0].length;
  }
  return { markup: markup.join('\n'), code: code.join('\n') };
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const findInStyle = (base: string, text: string): Reference[] =>
  [...text.matchAll(IN_STYLE)].map((found) => ({ address: valueOf(found), base }));

/** An import without a leading `.` or `/` names a package, which a browser finds by an import map or not at all. */
function findInScript(path: string, text: string): Reference[] {
  return [...text.matchAll(IN_SCRIPT)].flatMap(([, word, address = '']) => {
    // A browser resolves what a script fetches against the page, and a page is mostly at the root of its jot.
    if (word === 'fetch') return [{ address, base: /\.m?js$/i.test(path) ? '' : path }];
    return /^\.{0,2}\//.test(address) ? [{ address, base: path }] : [];
  });
}

const findAbilities = (code: string): Ability[] =>
  IN_CODE.filter(([, pattern]) => pattern.test(code)).map(([ability]) => ability);

const valueOf = ([, ...groups]: RegExpExecArray): string => groups.find((each) => each !== undefined) ?? '';
