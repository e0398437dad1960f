// What the clients on both SDKs of TypeScript do, as an agent would. Each program prints one line of JSON for each step: what
// its model would see.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { GATEWAY_KEY = '', GATEWAY_URL = '' } = process.env;
export const ADDRESS = new URL('/mcp', GATEWAY_URL);
export const HEADERS = { 'x-service-api-key': GATEWAY_KEY };
export const NAMED = { name: 'client', version: '1' };

/** The methods that the clients of both generations share. */
interface ToolClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

const report = (step: string, seen: object) => console.log(JSON.stringify({ step, ...seen }));

function textOf({ content }: Record<string, unknown>): string {
  const blocks: { text?: string }[] = Array.isArray(content) ? content : [];
  return blocks.map(({ text = '' }) => text).join('\n');
}

/** Goes through the steps. The model gets two things wrong, reads why, and mends them as the text says. */
export async function walk(packageName: string, client: ToolClient): Promise<void> {
  const file = join(import.meta.dirname, '../../../node_modules', packageName, 'package.json');
  report('client', { versions: { [packageName]: JSON.parse(readFileSync(file, 'utf8')).version } });
  const { tools } = await client.listTools();
  const execute = tools.find(({ name }) => name === 'execute_tools');
  const keepsMembers = JSON.stringify(execute?.inputSchema).includes('"args"');
  report('list', { tools: tools.map(({ name }) => name).toSorted(), keepsMembers });

  async function see(step: string, name: string, args: Record<string, unknown>): Promise<string> {
    const seen = await client.callTool({ name, arguments: args }).then(
      (result) => ({ text: textOf(result), thrown: false }),
      (error: unknown) => ({ text: String(error), thrown: true }),
    );
    report(step, seen);
    return seen.text;
  }
  const run = (step: string, args: object) =>
    see(step, 'execute_tools', { executions: [{ tool: 'time_now', args }] });

  await see('search', 'search_tools', { query: 'current time in a time zone', limit: 3 });
  await run('run', { timeZone: 'Europe/Berlin' });
  const wrong = await see('wrong', 'get_tool_schema', { tool: '[]' });
  if (wrong.includes('tool: must be a name')) await see('mended', 'get_tool_schema', { tool: 'time_now' });
  const [, known] =
    /timezone.*?known: (\w+)/s.exec(await run('failing', { timezone: 'Europe/Berlin' })) ?? [];
  if (known !== undefined) await run('repaired', { [known]: 'Europe/Berlin' });
}
