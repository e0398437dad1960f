// Writes Markdown into documents: new ones, at the end, at a heading, or in place of what is there.
import * as z from 'zod';
import { type Tool, tool, type Upstream } from '../../src/kit/integration.ts';
import { send, some, text } from '../google/oauth.ts';
import {
  DOCUMENT,
  documentId,
  endOf,
  findSection,
  getDocument,
  type TabContent,
  tabId,
  tabOf,
} from './document.ts';
import { type DocsRequest, fromMarkdown } from './from-markdown.ts';

const markdown = text.describe(
  'Text in Markdown: headings, lists, tables, links, bold, italic, strikethrough, quotes and code',
);
const heading = text.describe('Text of a heading, from gdocs_get_document');
const Created = z.lazy(() => z.looseObject({ documentId: z.string() }));
const Answer = z.lazy(() => z.object({ documentId: z.string(), replies: z.array(z.unknown()).default([]) }));
const AddedTab = z.lazy(() =>
  z.object({
    addDocumentTab: z.object({ tabProperties: z.looseObject({ tabId: z.string() }) }),
  }),
);

const address = (id: string): string => `https://docs.google.com/document/d/${id}/edit`;

/** Sends changes that apply together, or not at all. Docs merges them with what others have written since the revision. */
export async function change(
  upstream: Upstream,
  id: string,
  requests: readonly DocsRequest[],
  revisionId?: string,
): Promise<readonly unknown[]> {
  if (requests.length === 0) return [];
  const writeControl = revisionId === undefined ? undefined : { targetRevisionId: revisionId };
  const args = { documentId: id, requests, writeControl };
  return Answer.parse(await send(upstream, `POST ${DOCUMENT}:batchUpdate`, args)).replies;
}

interface Edit {
  documentId: string;
  tabId?: string | undefined;
}

/** Sends the changes that a tab needs as it is now, and tells where its document is. */
async function edit(
  upstream: Upstream,
  { documentId: id, tabId: tab }: Edit,
  requestsFor: (content: TabContent) => readonly DocsRequest[],
): Promise<{ documentId: string; url: string }> {
  const document = await getDocument(upstream, id, { withSuggestions: true });
  await change(upstream, id, requestsFor(tabOf(document, tab)), document.revisionId);
  return { documentId: id, url: address(id) };
}

export const writing: readonly Tool[] = [
  tool(
    'gdocs_create_document',
    'Create a document, with its text in Markdown',
    () => ({ title: text.describe('Title of the document'), markdown: markdown.optional() }),
    async ({ title, markdown: content = '' }, { upstream }) => {
      const { documentId: id } = Created.parse(await send(upstream, 'POST /documents', { title }));
      await change(upstream, id, fromMarkdown(content, { at: 1, tabId: undefined, isEmpty: true }));
      return { documentId: id, title, url: address(id) };
    },
    'write',
  ),
  tool(
    'gdocs_append_markdown',
    'Append Markdown at the end of a document or a tab',
    () => ({ documentId, markdown, tabId }),
    ({ markdown: content, ...place }, { upstream }) =>
      edit(upstream, place, (tab) => appendRequests(tab, content, place.tabId)),
    'write',
  ),
  tool(
    'gdocs_insert_markdown',
    'Insert Markdown before a heading, directly below it, or at the end of its section',
    () => ({
      documentId,
      heading,
      where: z
        .enum(['before', 'below', 'end'])
        .default('end')
        .describe('Before the heading, directly below it, or at the end of its section'),
      markdown,
      tabId,
    }),
    ({ heading: wanted, where, markdown: content, ...place }, { upstream }) =>
      edit(upstream, place, (tab) => {
        const section = findSection(tab, wanted);
        const at =
          where === 'before'
            ? section.heading.startIndex
            : where === 'below'
              ? section.heading.endIndex
              : section.end;
        return insertRequests(tab, { at, tabId: place.tabId }, content);
      }),
    'write',
  ),
  tool(
    'gdocs_replace_section',
    'Replace the text below a heading, up to the next heading of its level; the heading stays',
    () => ({ documentId, heading, markdown, tabId }),
    ({ heading: wanted, markdown: content, ...place }, { upstream }) =>
      edit(upstream, place, (tab) => {
        const { heading: found, end } = findSection(tab, wanted);
        const last = endOf(tab);
        const below = { at: found.endIndex, tabId: place.tabId };
        if (found.endIndex >= last) return insertRequests(tab, below, content);
        return [
          // The last line break of a document always stays.
          ...deleteRequests(found.endIndex, Math.min(end, last - 1), place.tabId),
          ...fromMarkdown(content, { ...below, isEmpty: end >= last }),
        ];
      }),
    'destroy',
  ),
  tool(
    'gdocs_delete_section',
    'Delete a heading with the text below it, up to the next heading of its level',
    () => ({ documentId, heading, tabId }),
    ({ heading: wanted, ...place }, { upstream }) =>
      edit(upstream, place, (tab) => {
        const { heading: found, end } = findSection(tab, wanted);
        return deleteRequests(found.startIndex, Math.min(end, endOf(tab) - 1), place.tabId);
      }),
    'destroy',
  ),
  tool(
    'gdocs_replace_document',
    'Replace the whole text of a document or a tab with Markdown; what Markdown cannot express is lost',
    () => ({ documentId, markdown, tabId }),
    ({ markdown: content, ...place }, { upstream }) =>
      edit(upstream, place, (tab) => [
        ...deleteRequests(1, endOf(tab) - 1, place.tabId),
        ...fromMarkdown(content, { at: 1, tabId: place.tabId, isEmpty: true }),
      ]),
    'destroy',
  ),
  tool(
    'gdocs_add_tab',
    'Add a tab to a document, with its text in Markdown',
    () => ({
      documentId,
      title: text.describe('Title of the tab'),
      markdown: markdown.optional(),
      parentTabId: some.describe('Id of the tab above it, from gdocs_get_document'),
      iconEmoji: some.describe('One emoji before the title, such as 📌'),
    }),
    async ({ documentId: id, markdown: content = '', ...tabProperties }, { upstream }) => {
      const replies = await change(upstream, id, [{ addDocumentTab: { tabProperties } }]);
      const { tabProperties: added } = AddedTab.parse(replies[0]).addDocumentTab;
      await change(upstream, id, fromMarkdown(content, { at: 1, tabId: added.tabId, isEmpty: true }));
      return { documentId: id, ...added };
    },
    'write',
  ),
];

function appendRequests(tabContent: TabContent, content: string, tab: string | undefined): DocsRequest[] {
  const end = endOf(tabContent);
  const isEmpty = (tabContent.body.content.at(-1)?.startIndex ?? 1) === end - 1;
  return isEmpty
    ? fromMarkdown(content, { at: end - 1, tabId: tab, isEmpty })
    : insertRequests(tabContent, { at: end, tabId: tab }, content);
}

/** Where no paragraph begins, at a table or at the end, the paragraph before gets a second line break first. */
function insertRequests(
  { body }: TabContent,
  { at, tabId: tab }: { at: number; tabId: string | undefined },
  content: string,
): DocsRequest[] {
  const isParagraph = body.content.some(
    ({ startIndex, paragraph }) => startIndex === at && paragraph !== undefined,
  );
  if (isParagraph) return fromMarkdown(content, { at, tabId: tab, isEmpty: false });
  return [
    { insertText: { location: { index: at - 1, tabId: tab }, text: '\n' } },
    ...fromMarkdown(content, { at, tabId: tab, isEmpty: true }),
  ];
}

function deleteRequests(startIndex: number, endIndex: number, tab: string | undefined): DocsRequest[] {
  return startIndex < endIndex
    ? [{ deleteContentRange: { range: { startIndex, endIndex, tabId: tab } } }]
    : [];
}
