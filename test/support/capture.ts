// Captures what a tool sends upstream, without an upstream, for tables of arguments and expected requests.
import type { Integration, ToolContext, UpstreamCall } from '../../src/kit/integration.ts';
import type { ToolFiles } from '../../src/kit/files.ts';
import { createFakeClock } from './fake-clock.ts';
import { createMemoryFiles } from './memory-files.ts';

/** Runs a tool and returns each upstream request as a line `METHOD path?query body`. */
export async function sent(
  integration: Integration,
  name: string,
  args: object,
  answers: readonly unknown[] = [],
  files: ToolFiles = createMemoryFiles(),
): Promise<string[]> {
  const lines: string[] = [];
  const left = [...answers];
  const answer = (): Response => {
    const next = left.shift() ?? {};
    return next instanceof Response ? next : Response.json(next);
  };
  const context: ToolContext = {
    userId: 'u',
    clock: createFakeClock(),
    files,
    async upstream(call) {
      lines.push(lineOf(call));
      return answer();
    },
    async fetch(url, { method = 'GET', body } = {}) {
      lines.push(`${method} ${String(url)}${typeof body === 'string' ? ` ${body}` : ''}`);
      return answer();
    },
  };
  await run(integration, name, args, context);
  return lines;
}

export async function run(
  integration: Integration,
  name: string,
  args: object,
  context: ToolContext,
): Promise<unknown> {
  const tool = integration.tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const parsed = tool.parse(args);
  if (!parsed.ok) throw new Error(parsed.message);
  return tool.run(parsed.value, context);
}

function lineOf({ method, path, query, body }: UpstreamCall): string {
  const search =
    query === undefined || query.size === 0
      ? ''
      : `?${decodeURIComponent(query.toString().replaceAll('+', ' '))}`;
  return `${method} ${path}${search}${typeof body === 'string' ? ` ${body}` : ''}`;
}
