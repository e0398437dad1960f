// Counts the calls, bytes and tokens that eight tasks cost an agent, as it did them with version 0.1 and as it does them now.
import { isDeepStrictEqual } from 'node:util';
import { before } from './agent/before.ts';
import { openAgent, type Spent } from './agent/conversation.ts';
import { now } from './agent/now.ts';
import { MANY } from './agent/scripts.ts';
import { openStage, type Stage } from './agent/stage.ts';
import { type Task, type TaskName, TASKS, type Way } from './agent/tasks.ts';
import type { Row } from './main.ts';

/** The tokens of all tasks together fall at least by this factor. */
const BAR = 5;
/** The share of tokens that scripts save in the five tasks together. */
const SAVED = 0.8;

interface Compared {
  before: Spent;
  now: Spent;
}

export async function agentRows(): Promise<Row[]> {
  const stage = await openStage();
  try {
    const rows: Row[] = [];
    const all: Compared[] = [];
    for (const [name, task] of Object.entries(TASKS)) {
      // Object.entries forgets that the keys are those of TASKS.
      const key = name as TaskName;
      const compared = {
        before: await spend(stage, task, before[key]),
        now: await spend(stage, task, now[key]),
      };
      all.push(compared);
      rows.push({ ...row(`Agent: ${task.name}`, compared), bar: null, holds: true });
    }
    const total = { before: sum(all.map((each) => each.before)), now: sum(all.map((each) => each.now)) };
    const holds = total.before.tokens >= BAR * total.now.tokens;
    return [
      ...rows,
      { ...row('Agent: the eight tasks together', total), bar: `≥ ${BAR} × fewer tokens`, holds },
      ...(await scriptRows(stage)),
    ];
  } finally {
    await stage.close();
  }
}

/** Compares single calls with one script. */
async function scriptRows(stage: Stage): Promise<Row[]> {
  await stage.person.connect('github');
  await stage.person.connect('gmail');
  const rows: Row[] = [];
  const all: Compared[] = [];
  for (const { name, wanted, calls, script } of MANY) {
    const begun = performance.now();
    const old = await spend(stage, { name, wanted }, calls);
    const between = performance.now();
    const fresh = await spend(stage, { name, wanted }, script);
    const [before, after] = [between - begun, performance.now() - between].map(Math.round);
    all.push({ before: old, now: fresh });
    const { work, measured } = row(`Agent, script: ${name}`, { before: old, now: fresh });
    rows.push({ work, measured: `${measured}, ${before} → ${after} ms`, bar: null, holds: true });
  }
  const total = { before: sum(all.map((each) => each.before)), now: sum(all.map((each) => each.now)) };
  const holds = total.now.tokens <= (1 - SAVED) * total.before.tokens;
  const bar = `≥ ${SAVED * 100} % fewer tokens`;
  return [...rows, { ...row('Agent, script: the five tasks together', total), bar, holds }];
}

/** Does a task in a conversation of its own. */
async function spend(stage: Stage, task: Task, way: Way): Promise<Spent> {
  if (task.connected !== undefined) await stage.person.connect(task.connected);
  if (task.disconnected !== undefined) await stage.person.disconnect(task.disconnected);
  const agent = await openAgent(stage.gateway.url, stage.gateway.apiKey);
  try {
    const reached = await way(agent, stage);
    const wanted = task.wanted(stage);
    if (!isDeepStrictEqual(reached, wanted))
      throw new Error(
        `${task.name}: reached ${JSON.stringify(reached)?.slice(0, 300)} instead of ${JSON.stringify(wanted)?.slice(0, 300)}`,
      );
    return agent.spent;
  } finally {
    await agent.close();
  }
}

const sum = (all: Spent[]): Spent => ({
  calls: all.reduce((total, { calls }) => total + calls, 0),
  bytes: all.reduce((total, { bytes }) => total + bytes, 0),
  tokens: all.reduce((total, { tokens }) => total + tokens, 0),
});

function row(work: string, { before: old, now: fresh }: Compared): Pick<Row, 'work' | 'measured'> {
  const arrow = (unit: keyof Spent) =>
    `${old[unit].toLocaleString('en')} → ${fresh[unit].toLocaleString('en')} ${unit}`;
  const factor = (old.tokens / fresh.tokens).toFixed(1);
  return { work, measured: `${arrow('calls')}, ${arrow('bytes')}, ${arrow('tokens')} (${factor} ×)` };
}
