// Changes parts of documents: words, their looks, and pictures.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutUndefined } from '../../src/kit/without-empty.ts';
import { flag, object, row, text } from '../google/oauth.ts';
import {
  type Block,
  DOCUMENT,
  documentId,
  findSection,
  getDocument,
  tabId,
  tabOf,
  textIn,
} from './document.ts';
import { change } from './writing.ts';

const STYLES = ['NORMAL_TEXT', 'TITLE', 'SUBTITLE', ...[1, 2, 3, 4, 5, 6].map((level) => `HEADING_${level}`)];
const size = () => z.number().positive().optional();

export const changes: readonly Tool[] = [
  tool(
    'gdocs_replace_text',
    'Find a text in a document and replace it everywhere, for example the placeholders of a template',
    () => ({
      documentId,
      replacements: z
        .record(z.string().min(1), z.string())
        .describe('New text for each text to find, such as {"{{name}}":"Ana"}'),
      matchCase: z.boolean().default(true).describe('false finds A and a alike'),
      tabIds: z.array(text).optional().describe('Only these tabs, ids from gdocs_get_document'),
    }),
    async ({ documentId: id, replacements, matchCase, tabIds }, { upstream }) => {
      const found = Object.entries(replacements);
      const replies = await change(
        upstream,
        id,
        found.map(([find, replaceText]) => ({
          replaceAllText: {
            containsText: { text: find, matchCase },
            replaceText,
            ...(tabIds === undefined ? {} : { tabsCriteria: { tabIds } }),
          },
        })),
      );
      return {
        documentId: id,
        replaced: replies.map(countOf).map((count, at) => ({ text: found[at]?.[0], count })),
      };
    },
    'write',
  ),
  tool(
    'gdocs_format_text',
    'Format every occurrence of a text: bold, italic, link, size, or make its paragraph a heading',
    () => ({
      documentId,
      text: text.min(1).describe('Text to format, within one paragraph, exactly as it is written'),
      bold: flag.describe('true for bold, false for plain'),
      italic: flag.describe('true for italic, false for upright'),
      underline: flag.describe('true for underlined'),
      strikethrough: flag.describe('true for crossed out'),
      link: text.optional().describe('Address to link to'),
      fontSize: size().describe('Size of the letters in points, such as 11'),
      paragraphStyle: z.enum(STYLES).optional().describe('Style of the whole paragraph'),
      tabId,
    }),
    async (args, { upstream }) => {
      const { documentId: id, text: wanted, tabId: tab, paragraphStyle, link, fontSize, ...plain } = args;
      const textStyle = withoutUndefined({
        ...plain,
        link: link === undefined ? undefined : { url: link },
        fontSize: fontSize === undefined ? undefined : { magnitude: fontSize, unit: 'PT' },
      });
      const fields = Object.keys(textStyle).join(',');
      if (fields === '' && paragraphStyle === undefined)
        throw new Error('Say what to format, such as bold or paragraphStyle');
      const document = await getDocument(upstream, id, { withSuggestions: true });
      const found = occurrences(tabOf(document, tab).body.content, wanted);
      if (found.length === 0) throw new Error(`The document does not contain ${wanted}`);
      const requests = found.flatMap((startIndex) => {
        const range = { startIndex, endIndex: startIndex + wanted.length, tabId: tab };
        const style = { namedStyleType: paragraphStyle };
        return [
          ...(paragraphStyle === undefined
            ? []
            : [{ updateParagraphStyle: { range, paragraphStyle: style, fields: 'namedStyleType' } }]),
          ...(fields === '' ? [] : [{ updateTextStyle: { range, textStyle, fields } }]),
        ];
      });
      await change(upstream, id, requests, document.revisionId);
      return { documentId: id, formatted: found.length };
    },
    'write',
  ),
  tool(
    'gdocs_insert_image',
    'Insert a picture from a public address at the end of a document, or below a heading',
    () => ({
      documentId,
      uri: text.describe('Public address of a PNG, JPEG or GIF of less than 50 MB'),
      heading: text.optional().describe('Text of the heading above it; at the end by default'),
      width: size().describe('Width in points; 72 points are an inch'),
      height: size().describe('Height in points'),
      tabId,
    }),
    async ({ documentId: id, uri, heading, width, height, tabId: tab }, { upstream }) => {
      const points = (magnitude: number | undefined) =>
        magnitude === undefined ? undefined : { magnitude, unit: 'PT' };
      const objectSize =
        width === undefined && height === undefined
          ? undefined
          : { width: points(width), height: points(height) };
      if (heading === undefined) {
        const request = { insertInlineImage: { uri, objectSize, endOfSegmentLocation: { tabId: tab } } };
        return { documentId: id, replies: await change(upstream, id, [request]) };
      }
      const document = await getDocument(upstream, id, { withSuggestions: true });
      const { endIndex } = findSection(tabOf(document, tab), heading).heading;
      // The picture gets a paragraph of its own, which does not look like the heading.
      const range = { startIndex: endIndex, endIndex: endIndex + 1, tabId: tab };
      const style = { namedStyleType: 'NORMAL_TEXT' };
      const requests = [
        { insertText: { location: { index: endIndex - 1, tabId: tab }, text: '\n' } },
        { updateParagraphStyle: { range, paragraphStyle: style, fields: 'namedStyleType' } },
        { insertInlineImage: { uri, objectSize, location: { index: endIndex, tabId: tab } } },
      ];
      return { documentId: id, replies: await change(upstream, id, requests, document.revisionId) };
    },
    'write',
  ),
  row(
    'gdocs_batch_update',
    `POST ${DOCUMENT}:batchUpdate`,
    'Send requests of the Docs API that no other tool covers, such as createHeader, insertPageBreak or insertTableRow',
    () => ({
      documentId,
      requests: z
        .array(object)
        .describe('Requests of documents.batchUpdate, which apply together or not at all'),
    }),
    { access: 'destroy' },
  ),
];

const Replaced = z.lazy(() =>
  z.object({ replaceAllText: z.object({ occurrencesChanged: z.int().default(0) }) }),
);

const countOf = (reply: unknown): number =>
  Replaced.safeParse(reply).data?.replaceAllText.occurrencesChanged ?? 0;

/** The indices where a text begins, in paragraphs and in the cells of tables. */
function occurrences(blocks: readonly Block[], wanted: string): number[] {
  return blocks.flatMap(({ paragraph, table }) => {
    if (table !== undefined)
      return table.tableRows.flatMap(({ tableCells }) =>
        tableCells.flatMap(({ content }) => occurrences(content, wanted)),
      );
    const first = paragraph?.elements[0]?.startIndex ?? 0;
    const words = paragraph === undefined ? '' : textIn(paragraph);
    const found: number[] = [];
    for (let at = words.indexOf(wanted); at !== -1; at = words.indexOf(wanted, at + wanted.length))
      found.push(first + at);
    return found;
  });
}
