// A child process on a shared database: it opens the database, does the jobs it receives, and replies to
// each.
import { CompiledQuery } from 'kysely';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import type { Store } from '../../src/ports/store.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { entry, hash, importRecord, importTool, NOW, RACING_CLIENT } from '../contracts/store/records.ts';

export interface Job {
  job:
    | 'open'
    | 'setUp'
    | 'dieInSetUp'
    | 'rotate'
    | 'take'
    | 'create'
    | 'createFirst'
    | 'import'
    | 'append'
    | 'noteReads'
    | 'lastReads';
  items: string[];
}

export type Answer = { answer: string[] } | { error: string } | { acknowledged: number };

const PARALLEL = 17;

const tell = (answer: Answer) => process.send?.(answer);
let engine: Engine | undefined;
let store: Store | undefined;

async function open([url]: string[]): Promise<string[]> {
  await store?.close();
  engine = openAt(url ?? '');
  store = createSqlStore(engine);
  // Opens the connection now, so that opening it does not slow this process in the race.
  await engine.run(CompiledQuery.raw('select 1'));
  return [];
}

async function setUp(): Promise<string[]> {
  if (engine !== undefined) await createSchema(engine);
  return [];
}

/** Runs the statements that change a key in SQLite, and is killed before their transaction ends. */
async function dieInSetUp(): Promise<string[]> {
  if (engine === undefined) throw new Error('not open yet');
  const { run, setUp } = engine;
  const die: Engine['setUp'] = async (lines) => {
    if (!lines.some((line) => line.startsWith('drop table'))) return setUp(lines);
    for (const line of ['begin immediate', ...lines]) await run(CompiledQuery.raw(line));
    process.kill(process.pid, 'SIGKILL');
  };
  await createSchema({ ...engine, setUp: die });
  return [];
}

function opened(): Store {
  if (store === undefined) throw new Error('not open yet');
  return store;
}

/** Rotates each token many times at once and returns the new tokens. */
async function rotate(tokens: string[]): Promise<string[]> {
  const won: string[] = [];
  for (const presented of tokens) {
    const rotation = {
      presented,
      family: presented,
      client_id: RACING_CLIENT,
      now: NOW,
      expires_at: NOW + 60,
    };
    const attempts = Array.from({ length: PARALLEL }, () =>
      opened().refreshTokens.rotate({ ...rotation, next: hash() }),
    );
    for (const answer of await Promise.all(attempts)) {
      if (answer.outcome === 'rotated') won.push(answer.token.token_hash);
    }
  }
  return won;
}

/** Takes the flows and returns the states of those that this process got. */
async function take(states: string[]): Promise<string[]> {
  const flows = await Promise.all(states.map((state) => opened().flows.take(state)));
  return flows.flatMap((flow) => (flow === null ? [] : [flow.state]));
}

/** Creates users with these e-mails and returns their ids. */
async function create(emails: string[]): Promise<string[]> {
  const creations = emails.map((email) => opened().users.create({ id: hash(), email, created_at: NOW }));
  return (await Promise.all(creations)).map(({ id }) => id);
}

/** Creates each user as the first one and returns the ids of those that were. */
async function createFirst(emails: string[]): Promise<string[]> {
  const made = emails.map((email) => opened().users.createFirst({ id: hash(), email, created_at: NOW }));
  return (await Promise.all(made)).flatMap((user) => (user === null ? [] : [user.id]));
}

/** Creates imports of one owner, at most 30, and returns the ids of those that were created. */
async function createImports([owner = '', ...names]: string[]): Promise<string[]> {
  const made = names.map(async (name) => {
    const record = importRecord({ owner, name });
    const outcome = await opened().imports.create(record, [importTool(record, 0)], 30);
    return outcome === 'created' ? [record.id] : [];
  });
  return (await Promise.all(made)).flat();
}

/** Notes reads of one caller of the person: `<time> <tool>`. */
async function noteReads([user_id = '', ...reads]: string[]): Promise<string[]> {
  const notes = reads.map(async (read) => {
    const [time, tool = ''] = read.split(' ');
    const read_at = Number(time);
    const row = {
      user_id,
      caller: 'key:racing',
      tool: `${tool}_${process.pid}`,
      read_at,
      expires_at: read_at + 615,
    };
    await opened().outsideReads.note(row);
  });
  await Promise.all(notes);
  return [];
}

/** Returns the last read of that caller: `<time> <tool>`. */
async function lastReads([user_id = '']: string[]): Promise<string[]> {
  const read = await opened().outsideReads.last(user_id, 'key:racing');
  return read === null ? [] : [`${read.read_at} ${read.tool}`];
}

/** Appends two rows at a time without end, and reports how many appends were acknowledged. */
async function append([user_id]: string[]): Promise<never> {
  const rows = [entry({ user_id: user_id ?? '' }), entry({ user_id: user_id ?? '' })];
  for (let acknowledged = 1; ; acknowledged++) {
    await opened().audit.append(rows);
    tell({ acknowledged });
    // SQLite's promises resolve in microtasks. Messages leave only when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const jobs = {
  open,
  setUp,
  dieInSetUp,
  rotate,
  take,
  create,
  createFirst,
  import: createImports,
  append,
  noteReads,
  lastReads,
};
process.on('message', ({ job, items }: Job) => {
  jobs[job](items).then(
    (answer) => tell({ answer }),
    (error: unknown) => tell({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
