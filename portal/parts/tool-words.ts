// Says in words what a tool does: "Delete branch" for github_delete_branch.

export function toolWords(tool: string, integration: string): string {
  // The name of a raw request is its method and path.
  if (tool.includes(' ')) return tool;
  const prefix = `${integration}_`;
  const name = tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
  const words = name.replaceAll('_', ' ').trim() || tool;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
