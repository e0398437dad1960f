// What the tools read of a document of Google Docs.
import * as z from 'zod';
import type { Upstream } from '../../src/kit/integration.ts';
import { send, some, text } from '../google/oauth.ts';

export const DOCUMENT = '/documents/{documentId}';
export const documentId = text.describe(
  'Id of the document, from gdocs_list_documents or the part of its address after /d/',
);
export const tabId = some.describe('Id of a tab, from gdocs_get_document; the first tab by default');

const TextStyle = z.lazy(() =>
  z.object({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strikethrough: z.boolean().optional(),
    link: z.object({ url: text.optional() }).optional(),
    weightedFontFamily: z.object({ fontFamily: text.default('') }).optional(),
  }),
);
export type TextStyle = z.output<typeof TextStyle>;

const ParagraphElement = z.lazy(() =>
  z.object({
    startIndex: z.int().default(0),
    endIndex: z.int().default(0),
    textRun: z.object({ content: text.default(''), textStyle: TextStyle.default({}) }).optional(),
    inlineObjectElement: z.object({ inlineObjectId: text }).optional(),
    footnoteReference: z.object({ footnoteId: text, footnoteNumber: text.default('') }).optional(),
    horizontalRule: z.object({}).optional(),
    person: z
      .object({ personProperties: z.object({ email: text.default(''), name: text.optional() }) })
      .optional(),
    richLink: z.object({ richLinkProperties: z.object({ title: text.default(''), uri: text }) }).optional(),
    dateElement: z
      .object({
        dateElementProperties: z.object({ displayText: text.default('') }).default({ displayText: '' }),
      })
      .optional(),
  }),
);
export type ParagraphElement = z.output<typeof ParagraphElement>;

const Paragraph = z.lazy(() =>
  z.object({
    elements: z.array(ParagraphElement).default([]),
    paragraphStyle: z
      .object({
        namedStyleType: text.default('NORMAL_TEXT'),
        indentStart: z.object({ magnitude: z.number().default(0) }).optional(),
        borderBottom: z
          .object({ width: z.object({ magnitude: z.number().default(0) }).optional() })
          .optional(),
      })
      .default({ namedStyleType: 'NORMAL_TEXT' }),
    bullet: z.object({ listId: text.default(''), nestingLevel: z.int().default(0) }).optional(),
  }),
);
export type Paragraph = z.output<typeof Paragraph>;

const Block = z.object({
  startIndex: z.int().default(0),
  endIndex: z.int().default(0),
  paragraph: Paragraph.optional(),
  get table() {
    return z
      .object({
        tableRows: z
          .array(
            z.object({
              tableCells: z.array(z.object({ content: z.array(Block).default([]) })).default([]),
            }),
          )
          .default([]),
      })
      .optional();
  },
});
export type Block = z.output<typeof Block>;

const Content = z.lazy(() => z.object({ content: z.array(Block).default([]) }));
const TabContent = z.lazy(() =>
  z.object({
    body: Content.default({ content: [] }),
    footnotes: z.record(text, Content).default({}),
    inlineObjects: z
      .record(
        text,
        z.object({
          inlineObjectProperties: z.object({
            embeddedObject: z.object({
              title: text.optional(),
              description: text.optional(),
              imageProperties: z.object({ contentUri: text.default('') }).optional(),
            }),
          }),
        }),
      )
      .default({}),
    lists: z
      .record(
        text,
        z.object({
          listProperties: z.object({
            nestingLevels: z.array(z.object({ glyphType: text.optional() })).default([]),
          }),
        }),
      )
      .default({}),
  }),
);
export type TabContent = z.output<typeof TabContent>;

const Tab = z.object({
  tabProperties: z.object({ tabId: text, title: text.default(''), parentTabId: text.optional() }),
  documentTab: TabContent.optional(),
  get childTabs() {
    return z.array(Tab).default([]);
  },
});
export type Tab = z.output<typeof Tab>;

const Document = z.lazy(() =>
  z.object({
    documentId: text,
    title: text.default(''),
    revisionId: text.optional(),
    tabs: z.array(Tab).default([]),
  }),
);

export interface ReadDocument {
  documentId: string;
  title: string;
  revisionId: string | undefined;
  /** Also the tabs below tabs, in reading order. */
  tabs: readonly Tab[];
}

/** Without suggestions its indices are not those that changes need. */
export async function getDocument(
  upstream: Upstream,
  id: string,
  { withSuggestions = false }: { withSuggestions?: boolean } = {},
): Promise<ReadDocument> {
  const query = {
    documentId: id,
    includeTabsContent: true,
    suggestionsViewMode: withSuggestions ? 'SUGGESTIONS_INLINE' : 'PREVIEW_WITHOUT_SUGGESTIONS',
  };
  const { tabs, revisionId, ...about } = Document.parse(await send(upstream, `GET ${DOCUMENT}`, query));
  return { ...about, revisionId, tabs: tabs.flatMap(flatten) };
}

const flatten = (tab: Tab): Tab[] => [tab, ...tab.childTabs.flatMap(flatten)];

/** The first tab, or the one that is named. */
export function tabOf({ tabs }: ReadDocument, id: string | undefined): TabContent {
  const found = tabs.find(({ tabProperties }) => id === undefined || tabProperties.tabId === id);
  if (found?.documentTab !== undefined) return found.documentTab;
  const known = tabs.map(({ tabProperties }) => `${tabProperties.tabId} (${tabProperties.title})`).join(', ');
  throw new Error(`The document has no tab ${id ?? ''}. It has: ${known}`);
}

export const endOf = ({ body }: TabContent): number => body.content.at(-1)?.endIndex ?? 2;

/** The text of a paragraph without its line break. Each other thing in it is one character long, as in the indices. */
export function textIn({ elements }: Paragraph): string {
  return elements
    .map(({ textRun, startIndex, endIndex }) => textRun?.content ?? '\ufffc'.repeat(endIndex - startIndex))
    .join('')
    .replace(/\n$/, '');
}

const LEVELS = ['TITLE', 'HEADING_1', 'HEADING_2', 'HEADING_3', 'HEADING_4', 'HEADING_5', 'HEADING_6'];

export interface Heading {
  /** 0 is the title of the document. */
  level: number;
  text: string;
  startIndex: number;
  endIndex: number;
}

export function headingsIn({ body }: TabContent): Heading[] {
  return body.content.flatMap(({ paragraph, startIndex, endIndex }) => {
    const level = LEVELS.indexOf(paragraph?.paragraphStyle.namedStyleType ?? '');
    const words = paragraph === undefined ? '' : textIn(paragraph).trim();
    return level === -1 || words === '' ? [] : [{ level, text: words, startIndex, endIndex }];
  });
}

/** A section ends where a heading of its level or above begins. */
export function findSection(content: TabContent, wanted: string): { heading: Heading; end: number } {
  const headings = headingsIn(content);
  const fold = (words: string) =>
    words
      .replace(/^#+\s+/, '')
      .trim()
      .toLowerCase();
  const heading = headings.find((each) => fold(each.text) === fold(wanted));
  if (heading === undefined) {
    const known = headings.map((each) => each.text).join(', ');
    throw new Error(`The document has no heading ${wanted}. It has: ${known === '' ? 'none' : known}`);
  }
  const next = headings.find((each) => each.startIndex > heading.startIndex && each.level <= heading.level);
  return { heading, end: next?.startIndex ?? endOf(content) };
}
