// Writes a tool call as a curl command.
import type { Tool } from '../../api/tools.ts';

export function toolCurl(
  origin: string,
  key: string,
  { integration, name }: Pick<Tool, 'integration' | 'name'>,
  args: Record<string, unknown>,
  account?: string,
  select?: string,
): string {
  const call = {
    tool: name,
    args,
    ...(account === undefined ? {} : { account }),
    ...(select === undefined ? {} : { select }),
  };
  return [
    `curl ${quote(`${origin}/rest/${integration}`)}`,
    `-H ${quote(`x-service-api-key: ${key}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quote(JSON.stringify(call))}`,
  ].join(' \\\n  ');
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
