// Tests the memory budget of large calls: a person gets half of it, the oldest request continues, small ones
// never wait.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { call, callText } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const KIB = 1024;
const BUDGET = 1024 * KIB;

/** An upstream that responds when a test lets it. A byte of text counts as four. */
interface Feed {
  body: Bytes;
  /** How often the gateway asked for more. */
  asked: number;
  send(kib: number): void;
  end(): void;
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;
type Step = (to: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => void;

let app: TestApp;
let ana: TestUser;
let ben: TestUser;
let feeds: Map<string, Feed>;
/** How often large_answer ran. */
let answers: number;

function feed(name: string): Feed {
  const known = feeds.get(name);
  if (known !== undefined) return known;
  const steps: Step[] = [];
  let more = Promise.withResolvers<void>();
  const next = (step: Step) => {
    steps.push(step);
    more.resolve();
  };
  const opened: Feed = {
    asked: 0,
    send: (kib) => next((to) => to.enqueue(new Uint8Array(kib * KIB).fill(0x78))),
    end: () => next((to) => to.close()),
    body: new ReadableStream(
      {
        async pull(controller) {
          opened.asked++;
          if (steps.length === 0) more = Promise.withResolvers();
          await more.promise;
          steps.shift()?.(controller);
        },
      },
      { highWaterMark: 0 },
    ),
  };
  feeds.set(name, opened);
  return opened;
}

beforeEach(async () => {
  answers = 0;
  feeds = new Map();
  const large = defineIntegration({
    name: 'large',
    version: '1',
    displayName: 'Large',
    description: 'Reads what a test feeds it',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool(
        'large_read',
        'Reads it whole, and answers its length',
        () => ({ from: z.string() }),
        async ({ from }, { fetch }) => (await (await fetch(`https://${from}.example/`)).text()).length,
      ),
      tool(
        'large_answer',
        'Answers as much',
        () => ({ kib: z.number() }),
        ({ kib }) => (answers++, 'x'.repeat(kib * KIB)),
      ),
      tool(
        'large_echo',
        'Takes anything',
        () => ({ text: z.string() }),
        ({ text }) => text.length,
      ),
    ],
  });
  app = await createTestApp({
    ports: {
      integrations: [large],
      memory: BUDGET,
      network: {
        resolve: () => ['93.184.215.14'],
        send: async ({ url }) => ({
          status: 200,
          headers: new Headers(),
          body: feed(url.hostname.replace('.example', '')).body,
        }),
        close: async () => {},
      },
    },
  });
  ana = await app.user();
  ben = await app.user('ben@example.com');
});
afterEach(() => app.close());

const rest = (user: TestUser, body: unknown, signal?: AbortSignal) =>
  app.request('/rest/large', {
    method: 'POST',
    headers: { ...user.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
const read = (user: TestUser, from: string, signal?: AbortSignal) =>
  rest(user, { tool: 'large_read', args: { from } }, signal);
const resultOf = async (answer: Promise<Response>) => (await (await answer).json()).result;

/** Ben's call has passed every turn that another person's call would have needed. */
async function benReads(name: string): Promise<void> {
  const answer = read(ben, name);
  feed(name).send(66);
  feed(name).end();
  expect(await resultOf(answer)).toBe(66 * KIB);
}

/** Ana's oldest call has read so much that there is room for no second one of hers. */
async function anaHolds(): Promise<() => Promise<number>> {
  const answer = read(ana, 'first');
  feed('first').send(80);
  await expect.poll(() => feed('first').asked).toBe(2);
  return () => {
    feed('first').end();
    return resultOf(answer);
  };
}

describe('upstream responses in the memory budget', () => {
  it("stop being read for a person who uses half of the budget, while another's continue", async () => {
    const finish = await anaHolds();
    const second = read(ana, 'second');
    feed('second').send(70);
    await benReads('third');
    expect(feed('second').asked).toBe(1);
    expect(await finish()).toBe(80 * KIB);
    feed('second').end();
    expect(await resultOf(second)).toBe(70 * KIB);
  });

  it('never wait when they are small', async () => {
    const finish = await anaHolds();
    const small = read(ana, 'small');
    feed('small').send(60);
    feed('small').end();
    expect(await resultOf(small)).toBe(60 * KIB);
    await finish();
  });

  it('are refused when they are larger than the whole budget', async () => {
    const answer = read(ana, 'first');
    feed('first').send(300);
    const { error } = await (await answer).json();
    expect(error).toBe('The answer of first.example takes more memory than one call may use');
    await benReads('second');
  });

  it('stop waiting when their caller leaves', async () => {
    const caller = new AbortController();
    const finish = await anaHolds();
    const second = read(ana, 'second', caller.signal);
    feed('second').send(70);
    await benReads('third');
    caller.abort();
    expect((await (await second).json()).error).toBe('Cancelled by the caller');
    await finish();
  });

  it('of a long batch keep its next item waiting while its person uses half of the budget', async () => {
    const finish = await anaHolds();
    const executions = Array.from({ length: 9 }, () => ({ tool: 'large_answer', args: { kib: 10 } }));
    const answer = rest(ana, { executions });
    await benReads('third');
    expect(answers).toBe(8);
    await finish();
    const { results } = await (await answer).json();
    expect(results).toEqual(executions.map(() => ({ result: 'x'.repeat(10 * KIB) })));
  });

  it('in a long batch count until their results are rendered', async () => {
    const executions = Array.from({ length: 20 }, (_, index) => ({
      tool: 'large_read',
      args: { from: `of-${index}` },
    }));
    const answer = rest(ana, { executions });
    for (const { args } of executions) {
      feed(args.from).send(70);
      feed(args.from).end();
    }
    const { results } = await (await answer).json();
    expect(results).toEqual(executions.map(() => ({ result: 70 * KIB })));
  });
});

describe('requests and responses in the memory budget', () => {
  const text = 'x'.repeat(200 * KIB);
  it.each([
    ['/rest/large', { tool: 'large_echo', args: { text } }],
    ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { text } }],
  ])('stop reading a body to %s while its sender uses half of the budget', async (path, body) => {
    const finish = await anaHolds();
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    let sent = 0;
    const answer = app.request(path, {
      method: 'POST',
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      body: new ReadableStream(
        {
          pull(controller) {
            controller.enqueue(bytes.subarray(sent, (sent += 70 * KIB)));
            if (sent >= bytes.length) controller.close();
          },
        },
        { highWaterMark: 0 },
      ),
      duplex: 'half',
    } as RequestInit);
    await benReads('third');
    expect(sent).toBe(70 * KIB);
    await finish();
    expect((await answer).status).toBe(200);
  });

  it.each([
    ['read', (answer: Response) => answer.text()],
    ['cancelled', (answer: Response) => answer.body?.cancel()],
  ])('count a response until it is %s', async (_how, finish) => {
    const whole = JSON.stringify({
      integration: 'large',
      tool: 'large_answer',
      result: 'x'.repeat(400 * KIB),
    });
    const answer = await rest(ana, { tool: 'large_answer', args: { kib: 400 } });
    expect(answer.headers.get('content-length')).toBe(String(whole.length));
    const second = read(ana, 'second');
    feed('second').send(70);
    await benReads('third');
    expect(feed('second').asked).toBe(1);
    await finish(answer);
    feed('second').end();
    expect(await resultOf(second)).toBe(70 * KIB);
  });

  it('read a stored result when there is space', async () => {
    const cut = await callText(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'large_answer', args: { kib: 70 } }],
    });
    const handle = /"handle":"([^"]+)"/.exec(cut)?.[1];
    const finish = await anaHolds();
    let isRead = false;
    const page = call(app, ana.keyHeader, 'read_result', { handle, path: '/results/0/result' }).then(
      (result) => {
        isRead = true;
        return result;
      },
    );
    await benReads('third');
    expect(isRead).toBe(false);
    await finish();
    expect(await page).toHaveProperty('value');
  });
});
