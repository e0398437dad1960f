// Declares what Markdown is read as: nodes with the names that an Atlassian document has for them.

export interface Mark {
  /** One of `strong`, `em`, `strike`, `code` and `link`, which has its address as the attribute `href`. */
  type: string;
  attrs?: Record<string, unknown>;
}

export interface MarkdownNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: readonly Mark[];
  content?: readonly MarkdownNode[];
}
