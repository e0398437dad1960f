// Checks comments: each begins as a sentence, and cites sections of the reference or pages of docs/decisions that exist.
// Checks that each section of the reference names its tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'adapters', 'drivers', 'integrations', 'portal', 'examples', 'test'];
const SOURCE = /\.(?:[cm]?[jt]s|tsx|css|html)$/;

const REFERENCE = 'docs/reference';
const referencePages = readdirSync(join(ROOT, REFERENCE)).map((name) => ({
  name,
  text: readFileSync(join(ROOT, REFERENCE, name), 'utf8'),
}));

interface Section {
  page: string;
  title: string;
  text: string;
}

/** Sections are the second-level headings of the pages. */
const sections: readonly Section[] = referencePages.flatMap(({ name, text }) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      page: name,
      title: part.slice(0, part.indexOf('\n')),
      text: part.slice(part.indexOf('\n')),
    })),
);
const titles = sections.map(({ title }) => title).toSorted((one, other) => other.length - one.length);

interface Comment {
  text: string;
  /** The line of the character at this offset of `text`. */
  lineAt: (offset: number) => number;
}

const WHOLE_LINE = /^\s*(?:\/\/|\{?\/\*\*?|\*(?!\/))\s?(.*)$/;
const AT_LINE_END = /[\s{](?:\/\/|\/\*\*?)\s(.*)$/;

/** Comments of a file. Comment lines that follow each other are one comment, because citations may wrap. */
function commentsOf(source: string): Comment[] {
  const blocks: { line: number; text: string }[][] = [];
  let isOpen = false;
  for (const [index, line] of source.split('\n').entries()) {
    const whole = WHOLE_LINE.exec(line)?.[1];
    const text = whole ?? AT_LINE_END.exec(line)?.[1];
    if (text !== undefined) {
      const piece = { line: index + 1, text: text.trimEnd() };
      if (isOpen && whole !== undefined) blocks.at(-1)?.push(piece);
      else blocks.push([piece]);
    }
    isOpen = whole !== undefined;
  }
  return blocks.map((block) => ({
    text: block.map(({ text }) => text).join(' '),
    lineAt(offset) {
      let end = 0;
      const found = block.find(({ text }) => offset < (end += text.length + 1));
      return (found ?? block[0])?.line ?? 0;
    },
  }));
}

interface Citation {
  place: string;
  kind: string;
  /** What follows the kind, to the end of the comment. */
  rest: string;
}

interface Place {
  file: string;
  comment: Comment;
}

const comments: readonly Place[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => SOURCE.test(name) && !/node_modules|\.venv/.test(name))
    .flatMap((name) => {
      const file = `${folder}/${name}`;
      return commentsOf(readFileSync(join(ROOT, file), 'utf8')).map((comment) => ({ file, comment }));
    }),
);

/** Citations of these kinds in all comments, with their places. */
function citations(kinds: readonly string[]): Citation[] {
  const pattern = new RegExp(`(?<![\\w/.-])(${kinds.join('|')}): (?=\\S)`, 'g');
  return comments.flatMap(({ file, comment: { text, lineAt } }) =>
    [...text.matchAll(pattern)].map((match) => ({
      place: `${file}:${lineAt(match.index)}`,
      kind: match[1] ?? '',
      rest: text.slice(match.index + match[0].length),
    })),
  );
}

/** The titles of a citation such as `REST; Execution rules`; null stands for a title that is no section. */
function citedTitles(rest: string): (string | null)[] {
  const title = titles.find((each) => rest.startsWith(each) && isEnd(rest.slice(each.length)));
  if (title === undefined) return [null];
  const [, next] = /^; (?!(?:reference|decision): )(.*)$/.exec(rest.slice(title.length)) ?? [];
  return next === undefined ? [title] : [title, ...citedTitles(next)];
}

/** A title ends at punctuation or with its comment, so that a longer title is not taken for a shorter one. */
const isEnd = (after: string): boolean => /^\s*(?:\*\/|$|[.,;:)])/.test(after);

/** The numbers of a citation such as `012, 034`. */
const citedNumbers = (rest: string): string[] =>
  (/^\d{3}(?:, \d{3})*(?!\w)/.exec(rest)?.[0] ?? rest.slice(0, 40)).split(', ');

const show = ({ place, kind, rest }: Citation): string => `${place} ${kind}: ${rest.slice(0, 80)}`;

/** Words that open a fragment, such as "Of a caller's making" or "Also by the owner". */
const FRAGMENT =
  /^(?:Of|Who|Whoever|Whose|Whom|And|But|Or|Nor|Than|Beside|Else|Such|For want)\b|^As (?:it|they)\b|^By (?!default\b)|^Also (?:after|at|before|by|for|from|if|in|of|on|to|what|when|where|who|with)\b/;

describe('comments', () => {
  it('begin as a sentence and not as a fragment', () => {
    expect(comments.length).toBeGreaterThan(3_000);
    const wrong = comments.filter(({ comment }) => FRAGMENT.test(comment.text));
    expect(wrong.map(({ file, comment }) => `${file}:${comment.lineAt(0)} ${comment.text}`)).toEqual([]);
  });
});

describe('citations in comments', () => {
  it('resolve to a section of docs/reference', () => {
    const unresolved = citations(['reference']).filter(({ rest }) => citedTitles(rest).includes(null));
    expect(unresolved.map(show)).toEqual([]);
  });

  it('resolve to a page of docs/decisions', () => {
    const pages = readdirSync(join(ROOT, 'docs/decisions')).flatMap(
      (name) => /^(\d{3})-[\w-]+\.md$/.exec(name)?.[1] ?? [],
    );
    expect(new Set(pages).size).toBe(pages.length);
    const unresolved = citations(['decision']).filter(
      ({ rest }) => !citedNumbers(rest).every((number) => pages.includes(number)),
    );
    expect(unresolved.map(show)).toEqual([]);
  });

  it.each(['src', 'test'])('are found in %s, of both kinds', (folder) => {
    const kinds = citations(['reference', 'decision'])
      .filter(({ place }) => place.startsWith(`${folder}/`))
      .map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['reference', 'decision']));
  });

  it('name no paper that is not in the repository', () => {
    expect(citations(['spec', 'design']).map(show)).toEqual([]);
  });
});

describe('docs/reference', () => {
  it('has sections with unique titles that a citation can end', () => {
    expect(titles.length).toBeGreaterThan(0);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    expect(titles.filter((title) => !/^\w[\w -]*\w$/.test(title))).toEqual([]);
  });

  it('names the tests that prove each section, at its end', () => {
    const namedBy = ({ text }: Section): string[] => /\nTests: (.+)\n*$/.exec(text)?.[1]?.split(', ') ?? [];
    expect(sections.filter((section) => namedBy(section).length === 0).map(({ title }) => title)).toEqual([]);
    const missing = sections.flatMap((section) =>
      namedBy(section)
        .filter((file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(join(ROOT, file)))
        .map((file) => `${section.title}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('refers to its own sections by their titles', () => {
    const named = referencePages.flatMap(({ text }) =>
      [...text.matchAll(/\bsee \[?\*([^*]+)\*/gi)].map(([, title = '']) => title),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((title) => !titles.includes(title))).toEqual([]);
  });

  it('has an index with a link to every section', () => {
    const index = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8');
    const missing = sections.filter(
      ({ page, title }) => !new RegExp(`\\[${title}\\]\\(reference/${page}#[\\w-]+\\)`).test(index),
    );
    expect(missing.map(({ page, title }) => `${page}: ${title}`)).toEqual([]);
  });
});
