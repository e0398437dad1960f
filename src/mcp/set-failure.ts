// Says to a client of a set why a call has not run: first the code that an agent knows, then what to do.
import type { ExecutionResult } from '../calls/execution-result.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { isObject } from '../json/json.ts';
import { truncate } from '../json/truncate.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Methods } from './methods.ts';

const CODES = new Set<string>(Object.values(ErrorCode));

/** What is not connected answers with the link. */
export async function explainFailure(
  methods: Methods,
  caller: KnownCaller,
  result: ExecutionResult,
  account?: string,
): Promise<string> {
  if (!('error' in result) || result.error !== ErrorCode.NOT_CONNECTED) return sentenceOf(result);
  const wish = { integration: result.integration, ...(account === undefined ? {} : { account }) };
  const connecting = methods.call(caller, { name: 'connect', arguments: wish });
  const begun = 'error' in connecting ? undefined : (await connecting.run()).value;
  const url = isObject(begun) ? begun['url'] : undefined;
  if (typeof url !== 'string') return sentenceOf(result);
  return `${ErrorCode.NOT_CONNECTED}: Show the person this address, and call the tool again when they have connected ${result.integration} there: ${url}`;
}

/** Says what went wrong. A code that an agent knows comes first. */
function sentenceOf(result: ExecutionResult): string {
  if (!('error' in result)) return '';
  const { error, message, approval, accounts } = result;
  const said = message === undefined ? error : `${error}${CODES.has(error) ? ': ' : '. '}${message}`;
  const url = approval === undefined || said.includes(approval.url) ? '' : ` ${approval.url}`;
  const labels = accounts === undefined || accounts.length === 0 ? '' : ` Accounts: ${accounts.join(', ')}.`;
  return truncate(`${said}${url}${labels}`);
}
