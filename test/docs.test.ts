// Checks the pages for people: size, links, headings of decisions, and words that a reader cannot know.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const MAX_README_BYTES = 9_000;
const DECISIONS = 'docs/decisions';
const DECISION_HEADINGS = ['## Context', '## Decision', '## Consequences', '## When to revisit'];

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'integrations/README.md',
  'examples/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The text without code, where brackets and number signs mean something else. */
const withoutCode = (text: string) =>
  text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code');

/** The fragment that GitHub gives each heading of a page. */
function anchorsOf(file: string): Set<string> {
  const prose = read(file).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  const seen = new Map<string, number>();
  const anchors = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '').replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return new Set(anchors);
}

/** What is wrong with a link of a page, or null. */
function findFault(page: string, link: string): string | null {
  const [path = '', anchor] = decodeURI(link).split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, file))) return `${page} links to ${link}: there is no such file`;
  if (anchor === undefined) return null;
  if (!statSync(join(ROOT, file)).isFile() || !anchorsOf(file).has(anchor))
    return `${page} links to ${link}: there is no such heading`;
  return null;
}

describe('README.md', () => {
  it(`has at most ${MAX_README_BYTES} bytes and one picture`, () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES);
    expect(read('README.md').match(/!\[/g)).toHaveLength(1);
  });

  it('says how to start and how to test, in two commands', () => {
    const commands = [...read('README.md').matchAll(/^npm .*?(?=\s+#|$)/gm)].map(([line]) => line);
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });
});

describe('examples/README.md', () => {
  it('has a row for each example, with a test that starts it', () => {
    const rows = [
      ...read('examples/README.md').matchAll(/^\| \[([\w-]+)\]\(.+\) \| .+ \| `(test\/.+)` \|$/gm),
    ];
    const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map(({ name }) => name);
    expect(rows.map(([, name = '']) => name).toSorted()).toEqual(folders.toSorted());
    for (const [, name = '', test = ''] of rows) expect(read(test)).toContain(name);
  });
});

describe('links', () => {
  it.each(pages)('of %s lead to files and headings that exist', (page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.map((link) => findFault(page, link)).filter((fault) => fault !== null)).toEqual([]);
  });

  it('lead from README.md to every page', () => {
    const found = new Set<string>();
    const open = ['README.md'];
    for (let page = open.pop(); page !== undefined; page = open.pop()) {
      if (found.has(page) || !pages.includes(page)) continue;
      found.add(page);
      for (const [, path = ''] of withoutCode(read(page)).matchAll(/\]\(([^)\s#]+)/g))
        if (!/^[a-z]+:/.test(path)) open.push(join(dirname(page), path));
    }
    expect(pages.filter((page) => !found.has(page))).toEqual([]);
  });
});

describe('decisions', () => {
  const files = readdirSync(join(ROOT, DECISIONS))
    .filter((name) => name !== 'README.md')
    .toSorted();

  it('are numbered without a gap', () => {
    expect(files.map((name) => name.slice(0, 4))).toEqual(
      files.map((_, index) => `${String(index + 1).padStart(3, '0')}-`),
    );
  });

  it.each(files)('%s has its number, the four headings and text below each', (name) => {
    const text = read(join(DECISIONS, name));
    expect(text.startsWith(`# ${name.slice(0, 3)} · `), `the title of ${name}`).toBe(true);
    expect(text.match(/^## .*$/gm)).toEqual(DECISION_HEADINGS);
    expect(text.split(/^## .*$/m).filter((part) => part.trim() === '')).toEqual([]);
  });

  it('have one row each in the index, in order and with their titles', () => {
    const rows = [
      ...read(`${DECISIONS}/README.md`).matchAll(/^\| \[(\d{3})\]\((.+?)\) \| (.+?) \| .+ \|$/gm),
    ];
    expect(rows.map(([, number, file, title]) => [file, `# ${number} · ${title}`])).toEqual(
      files.map((name) => [name, read(join(DECISIONS, name)).split('\n')[0]]),
    );
  });
});

describe('files', () => {
  const FILE = /`((?:src|adapters|drivers|integrations|portal|test)\/[\w./-]+\.(?:[cm]?ts|tsx|mjs|md|svg))`/g;

  it.each(pages)('that %s names exist', (page) => {
    const named = [...read(page).matchAll(FILE)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe('words', () => {
  const UNKNOWN_WORDS = [
    /\bbars?\b/i,
    /\bthe card\b/i,
    /\bthe contract\b/i,
    /\bspec\.md\b/i,
    /\bdesign\.md\b/i,
  ];

  it.each(pages)('of %s are known to its readers', (page) => {
    const found = read(page)
      .split('\n')
      .flatMap((line, index) =>
        UNKNOWN_WORDS.flatMap((word) => {
          const [match] = word.exec(line) ?? [];
          return match === undefined ? [] : [`${page}:${index + 1} says "${match}"`];
        }),
      );
    expect(found).toEqual([]);
  });
});
