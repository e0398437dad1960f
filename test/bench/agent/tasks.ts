// Defines the eight tasks: what an agent has to find out or do, and the argument values that it uses.
import type { Agent } from './conversation.ts';
import { createPicks, paragraph } from './prose.ts';
import { textOfSection, WANTED_SECTION } from './providers.ts';
import type { Stage } from './stage.ts';

/** Does a task, and returns what the agent has learnt or done. */
export type Way = (agent: Agent, stage: Stage) => Promise<unknown>;

export interface Task {
  name: string;
  /** The integration that must be connected before, or must not be. */
  connected?: string;
  disconnected?: string;
  /** What each way has to return. */
  wanted: (stage: Stage) => unknown;
}

export const REPOSITORY = { owner: 'acme', repo: 'web' };

export const ISSUE = {
  title: 'Receipts show the wrong time zone',
  body: `Steps to reproduce:\n\n1. Buy something in Tokyo.\n2. Open the receipt.\n\n${paragraph(4_711, 2)}`,
};

export const ARTICLE_TITLE = 'History of Vardenholm';

export const PAGE = {
  name: 'quarter',
  files: [
    {
      path: 'index.html',
      content: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quarter</title><link rel="stylesheet" href="style.css"><h1>Quarter</h1><p>${paragraph(31, 4)}</p></html>`,
    },
    {
      path: 'style.css',
      content: 'body { font: 16px/1.5 sans-serif; max-width: 40rem; margin: 2rem auto; }',
    },
  ],
};

export const MAIL = {
  to: ['bo@example.com'],
  subject: 'The report of the quarter',
  body: 'Hello Bo,\n\nthe report is attached.\n\nAna',
};

const PDF_BYTES = 10_000;
const pick = createPicks(42);
const BYTE_VALUES = Array.from({ length: 256 }, (_, value) => value);

/** A small PDF: its content is compressed, so its bytes look random. */
export const ATTACHMENT = {
  filename: 'report.pdf',
  mimeType: 'application/pdf',
  bytes: Buffer.from([
    ...Buffer.from('%PDF-1.7\n'),
    ...Array.from({ length: PDF_BYTES }, () => pick(BYTE_VALUES)),
  ]),
};

/** Reads the wanted section in the text of the article, as far as the next heading. */
export function sectionOf(text: string): string {
  const [first = '', last = ''] = [textOfSection(WANTED_SECTION)[0], textOfSection(WANTED_SECTION).at(-1)];
  const [from, end] = [text.indexOf(first), text.lastIndexOf(last)];
  return from === -1 || end === -1 ? 'not shown' : text.slice(from, end + last.length);
}

const titlesOf = ({ providers }: Stage) => providers.issues.slice(0, 10).map(({ title }) => title);

export const TASKS = {
  time: { name: 'the time in Tokyo', wanted: () => '+09:00' },
  issues: { name: 'the titles of ten GitHub issues', connected: 'github', wanted: titlesOf },
  create: { name: 'create an issue', connected: 'github', wanted: () => ISSUE.title },
  sixteenth: {
    name: 'the 16th of 100 issues, title and text',
    connected: 'github',
    wanted: ({ providers }) => {
      const { title, body } = providers.issues[15] ?? {};
      return { title, body };
    },
  },
  section: {
    name: 'one section of a long article',
    wanted: () => sectionOf(textOfSection(WANTED_SECTION).join('\n\n')),
  },
  publish: { name: 'publish a page of two files', wanted: () => true },
  mail: { name: 'send a mail with a PDF of 10 kB', connected: 'gmail', wanted: () => true },
  connect: { name: 'connect GitHub, then the ten titles', disconnected: 'github', wanted: titlesOf },
} satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;

/** Tells whether the page loads its style in a browser: only then a sandboxed page may read the file. */
export async function isPublishedWhole(url: string): Promise<boolean> {
  const [page, style] = await Promise.all([fetch(url), fetch(new URL('style.css', url))]);
  return page.ok && style.headers.get('access-control-allow-origin') === '*';
}

/** Tells whether the last mail has the attachment. */
export function isAttached({ providers }: Stage): boolean {
  return (providers.mails.at(-1) ?? '').replaceAll('\r\n', '').includes(ATTACHMENT.bytes.toString('base64'));
}
