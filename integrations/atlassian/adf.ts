// Turns Markdown into an Atlassian document, the form in which Jira and Confluence accept texts. docs:
// Atlassian Document Format
import { readMarkdown } from '../markdown/blocks.ts';
import type { MarkdownNode } from '../markdown/nodes.ts';

interface AdfDocument extends MarkdownNode {
  type: 'doc';
  version: 1;
}

export const toAdf = (markdown: string): AdfDocument => ({
  type: 'doc',
  version: 1,
  content: readMarkdown(markdown),
});
