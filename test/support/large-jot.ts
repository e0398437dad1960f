// Publishes a jot with so many files that its list is large, and asks for it many times in one small call.
import { call, callText } from './mcp.ts';
import { done } from './jots.ts';
import type { TestApp } from './test-app.ts';

type Target = Pick<TestApp, 'request'>;
type Headers = Record<string, string>;

const FILES = 1_900;
const PATH_CHARACTERS = 900;
const TIMES = 60;

/** Returns the path of a file in the jot. */
export const pathOf = (index: number): string =>
  index === 0
    ? 'index.html'
    : `${String(index).padStart(PATH_CHARACTERS, 'f')}.txt`.replace(/(f{100})/g, '$1/');

export async function publishLargeJot(app: Target, keyHeader: Headers): Promise<void> {
  const files = Array.from({ length: FILES }, (_, index) => ({ path: pathOf(index), content: 'x' }));
  await done(app, { keyHeader }, 'deploy_jot', { name: 'large', files });
}

/** Sends the small call with the large answer, and returns the text that the agent sees. */
export function askManyTimes(app: Target, keyHeader: Headers): Promise<string> {
  const executions = Array.from({ length: TIMES }, () => ({ tool: 'get_jot', args: { name: 'large' } }));
  return callText(app, keyHeader, 'execute_tools', { executions });
}

/** Reads a part of what `askManyTimes` stored. */
export function readStored(app: Target, keyHeader: Headers, text: string, path: string) {
  const handle = /read_result \{"handle":"([^"]+)"\}/.exec(text)?.[1];
  if (handle === undefined) throw new Error(`no handle: ${text.slice(-300)}`);
  return call(app, keyHeader, 'read_result', { handle, path });
}
