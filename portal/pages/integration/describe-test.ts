// Tells in sentences what a test of a connection has found.
import type { Connection } from '../../api/integrations.ts';
import { duration } from '../../parts/amounts.ts';
import type { Outcome } from '../../parts/outcome-line.tsx';
import { connectionTexts } from '../../texts/connection.ts';

const words = connectionTexts.connection;

type Tested = Pick<Connection, 'account' | 'answeredInMs' | 'cause' | 'status'>;

export function describeTest(
  { account, answeredInMs, cause, status = 'unverified' }: Tested,
  name: string,
): Outcome {
  // The cause says whether there is no test or the test has found out nothing.
  if (status === 'unverified' && cause !== undefined) return { words: cause, isBad: true };
  if (status !== 'ok') return { words: words.tested[status](name), isBad: true };
  if (answeredInMs === undefined) return { words: words.tested.ok(name) };
  const whose = account === undefined ? words.accepted : `${words.signedInAs} ${account.label}.`;
  return { words: `${words.answered(name, duration(answeredInMs))} ${whose}` };
}
