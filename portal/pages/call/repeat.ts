// Prepares a call to be run again: in the form of the explorer, or as a curl command.
import type { Call } from '../../api/calls.ts';
import { fetchToolsOf } from '../../api/tools.ts';
import { navigate } from '../../router/location.ts';
import { keep } from '../../state/cache.ts';
import { quote, toolCurl } from '../tools/curl.ts';
import { toDrafts } from '../tools/form/drafts.ts';
import { readFields } from '../tools/form/fields.ts';

const API_KEY = 'YOUR_API_KEY';
const CURL_TOKEN = 'YOUR_CURL_TOKEN';

export type Members = Record<string, unknown>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Opens the explorer with the arguments filled in. Secrets that were not kept stay empty. */
export async function openAgain({ integration, tool: name, account, details }: Call): Promise<void> {
  if (details.state === 'kept') {
    const tool = (await fetchToolsOf(integration)).find((each) => each.name === name);
    const args = without(details.args.value, details.args.withheld);
    if (tool !== undefined && isMembers(args)) {
      keep(`drafts ${name}`, toDrafts(readFields(tool.inputSchema), args));
      keep(`run ${name}`, { state: 'idle' });
      keep(`account ${integration}`, account ?? '');
    }
  }
  navigate(`/tools?tool=${encodeURIComponent(name)}`);
}

/** Returns null for a call whose arguments are not known. */
export function curlOf(call: Call, origin: string): string | null {
  const { action, account, details, integration, tool } = call;
  if (details.state !== 'kept' || details.args.isCut || !isMembers(details.args.value)) return null;
  const { value: args } = details.args;
  if (action !== 'CURL') {
    const select = details.select ?? undefined;
    return toolCurl(origin, API_KEY, { integration, name: tool }, args, account, select);
  }
  const [method = 'GET', path = '/', query = ''] = [args['method'], args['path'], args['query']].map((part) =>
    typeof part === 'string' ? part : undefined,
  );
  return [
    `curl ${quote(`${origin}/c/${integration}${path}${query}`)}`,
    ...(method === 'GET' ? [] : [`-X ${quote(method)}`]),
    `-H ${quote(`Authorization: Bearer ${CURL_TOKEN}`)}`,
  ].join(' \\\n  ');
}

/** Returns a copy without the members that the pointers name. RFC 6901 */
export function without(value: unknown, pointers: readonly string[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const pointer of pointers) {
    const names = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop();
    let holder: unknown = copy;
    for (const name of names)
      holder = isHolder(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (isHolder(holder) && last !== undefined) Reflect.deleteProperty(holder, last);
  }
  return copy;
}

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
