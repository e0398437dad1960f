// Finds and reads documents.
import { type Tool, tool } from '../../src/kit/integration.ts';
import { listFiles } from '../google/drive-files.ts';
import { documentId, getDocument, headingsIn, tabId } from './document.ts';
import { toMarkdown } from './to-markdown.ts';

export const reading: readonly Tool[] = [
  listFiles('gdocs_list_documents', 'documents', 'application/vnd.google-apps.document'),
  tool(
    'gdocs_get_document',
    'Get the title, the tabs and the outline of a document; gdocs_read_document returns its text',
    () => ({ documentId }),
    async ({ documentId: id }, { upstream }) => {
      const { tabs, ...about } = await getDocument(upstream, id);
      return {
        ...about,
        tabs: tabs.map(({ tabProperties, documentTab }) => ({
          ...tabProperties,
          headings:
            documentTab === undefined
              ? []
              : headingsIn(documentTab).map(({ level, text }) => ({ level, text })),
        })),
      };
    },
  ),
  tool(
    'gdocs_read_document',
    'Read the text of a document as Markdown, tab by tab, without pending suggestions',
    () => ({ documentId, tabId: tabId.describe('Only this tab, an id from gdocs_get_document') }),
    async ({ documentId: id, tabId: only }, { upstream }) => {
      const { tabs, ...about } = await getDocument(upstream, id);
      const shown = tabs.filter(({ tabProperties }) => only === undefined || tabProperties.tabId === only);
      if (shown.length === 0) throw new Error(`The document has no tab ${only ?? ''}`);
      return {
        ...about,
        tabs: shown.map(({ tabProperties, documentTab }) => ({
          ...tabProperties,
          markdown: documentTab === undefined ? '' : toMarkdown(documentTab),
        })),
      };
    },
  ),
];
