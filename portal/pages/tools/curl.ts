// Writes a tool call as a curl command.
import type { Tool } from '../../api/types.ts';

export function toolCurl(
  origin: string,
  key: string,
  { integration, name }: Tool,
  args: Record<string, unknown>,
  account?: string,
): string {
  return [
    `curl ${quote(`${origin}/rest/${integration}`)}`,
    `-H ${quote(`x-service-api-key: ${key}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quote(JSON.stringify({ tool: name, args, ...(account === undefined ? {} : { account }) }))}`,
  ].join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
