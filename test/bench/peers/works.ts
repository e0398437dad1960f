// Measures how well each peer does each work.
import { type Answer, ask, type Ask, type Conversation } from './conversation.ts';
import { openPace } from './pace.ts';
import { type Peer, start, type Work } from './peer.ts';
import { cannot, type Line, type Measure, rounds, type Stand, startRounds, stopAll } from './rounds.ts';

const AT_ONCE = 200;
const NAMES: Record<Work, string> = {
  list: 'tools/list',
  search: 'Search of the 2,000 tools',
  call: 'Call of one of them, to the upstream and back',
  builtin: 'Call of a tool without an upstream',
};

export interface Compared {
  rates: Record<Work, Line>;
  others: Line[];
}

export async function compare(peers: readonly Peer[]): Promise<Compared> {
  const { line: started, stands } = await startRounds(peers, {
    what: 'Start to first tools/list',
    unit: 'ms',
    more: false,
  });
  try {
    const rates = {
      list: await rounds(stands, rate('list'), perSecond('list'), { warm: true }),
      search: await rounds(stands, rate('search'), perSecond('search'), { warm: true }),
      call: await rounds(stands, rate('call'), perSecond('call'), { warm: true }),
      builtin: await rounds(stands, rate('builtin'), perSecond('builtin'), { warm: true }),
    };
    const once = { count: 1 };
    const others = [
      await rounds(
        stands,
        less(`${AT_ONCE} calls to the upstream at once, to the last answer`, 'ms'),
        atOnce,
      ),
      await rounds(stands, less('Memory after that load', 'MiB'), resident, once),
      started,
      await rounds(stands, less('Bytes listed to an agent', 'B'), bytesListed, once),
      await rounds(stands, less('A call after a restart mid-conversation', ''), afterRestart, once),
    ];
    return { rates, others };
  } finally {
    await stopAll(stands);
  }
}

/** Compares tools/list alone. */
export async function compareLists(peers: readonly Peer[]): Promise<Line> {
  const stands: Stand[] = [];
  for (const peer of peers) stands.push({ peer, running: await start(peer).catch(cannot) });
  try {
    return await rounds(stands, rate('list'), perSecond('list'), { warm: true });
  } finally {
    await stopAll(stands);
  }
}

const rate = (work: Work) => ({ what: NAMES[work], unit: '/s', more: true });
const less = (what: string, unit: string) => ({ what, unit, more: false });

function perSecond(work: Work): Measure {
  const answersPerSecond = openPace();
  return async ({ conversation }, { asks }) => {
    const question = asks[work];
    return typeof question === 'string' ? cannot(question) : answersPerSecond(conversation, question);
  };
}

const atOnce: Measure = async ({ conversation }, { asks: { call } }) => {
  if (typeof call === 'string') return cannot(call);
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(conversation, call)));
  const took = performance.now() - begun;
  const wrong = answers.filter((answer) => !answer.ok);
  const [first] = wrong;
  return first === undefined ? took : cannot(`${wrong.length} of ${AT_ONCE} wrong, ${first.why}`);
};

const resident: Measure = async ({ residentMegabytes }) => residentMegabytes();

const bytesListed: Measure = async ({ conversation }, { asks: { list } }) => {
  const answer = await askIf(conversation, list);
  return answer.ok ? Buffer.byteLength(answer.body) : cannot(answer.why);
};

/** Checks whether a client that did not notice the restart can continue its conversation. */
const afterRestart: Measure = async ({ conversation, stop }, peer) => {
  await stop();
  const again = await start(peer);
  const answer = await askIf(conversation, peer.asks.call);
  await again.stop();
  return answer.ok ? 'answers' : cannot(answer.why);
};

async function askIf(conversation: Conversation, question: Ask | string): Promise<Answer> {
  return typeof question === 'string' ? { ok: false, why: question } : ask(conversation, question);
}
