// Measures what rules for content from outside cost: two gateways in this process, with and without, call by call in turn.
import * as z from 'zod';
import type { Rule } from '../../src/kit/actor.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

/** Short rounds in turn, so that both sides meet the same machine. */
const ROUNDS = 150;
const CALLS = 16;
const WARM_ROUNDS = 10;

const letters = {
  from: 'ana at example',
  subject: 'The plan for the week',
  body: 'Please look at the list below, and tell me by Thursday what is missing. '.repeat(12),
  labels: ['inbox', 'work', 'week-48'],
};

const mail = defineIntegration({
  name: 'mail',
  version: '1.0.0',
  displayName: 'Mail',
  description: 'Letters',
  categories: ['Other'],
  logo: null,
  auth: { type: 'none' },
  tools: [
    tool(
      'mail_read',
      'Reads letters',
      () => ({ count: z.int().default(5) }),
      ({ count }) => Array.from({ length: count }, (_, id) => ({ id, ...letters })),
    ),
    tool(
      'mail_send',
      'Sends a letter',
      () => ({ to: z.string() }),
      ({ to }) => ({ sent: to }),
      'write',
    ),
  ],
});

interface Side {
  app: TestApp;
  headers: Record<string, string>;
}

async function open(rules: readonly Rule[]): Promise<Side> {
  const app = await createTestApp({
    ports: { integrations: [mail], clock: createSystemClock(setImmediate) },
  });
  const ana = await app.user();
  const headers = { ...ana.sessionHeader, 'content-type': 'application/json' };
  const saved = await app.request('/api/policy', {
    method: 'PUT',
    headers,
    body: JSON.stringify({ rules }),
  });
  if (saved.status !== 200) throw new Error(await saved.text());
  return { app, headers: { ...ana.keyHeader, 'content-type': 'application/json' } };
}

/** The time of the processor in microseconds: others who use the machine do not count. */
async function time({ app, headers }: Side, name: string, args: object): Promise<number> {
  const body = JSON.stringify({ tool: name, args });
  const began = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) {
    const answer = await app.request('/rest/mail', { method: 'POST', headers, body });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`);
  }
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

/** The median over all pairs of rounds, each of which has both sides, in turn which of them is first. */
async function ratioOf(plain: Side, ruled: Side, name: string, args: object): Promise<number> {
  const ratios: number[] = [];
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [plain, ruled] : [ruled, plain];
    const times = new Map<Side, number>();
    for (const side of order) times.set(side, await time(side, name, args));
    if (round >= 0) ratios.push((times.get(ruled) ?? NaN) / (times.get(plain) ?? NaN));
  }
  return median(ratios);
}

export async function outsideRows(): Promise<Row[]> {
  const usual: Rule[] = [{ integration: 'elsewhere', decision: 'ask' }];
  const after: Rule[] = [
    ...usual,
    { access: 'destroy', after: 'outside', decision: 'ask' },
    { integration: 'elsewhere', access: 'write', after: 'outside', decision: 'ask' },
  ];
  const redact: Rule[] = [...usual, { redact: 'secrets', decision: 'allow' }];
  const [off, alike, marking, cleaning] = [
    await open(usual),
    await open(usual),
    await open(after),
    await open(redact),
  ];
  const read = { count: 5 };
  const rows = [
    row('off, a read', await ratioOf(off, alike, 'mail_read', read), 1.03),
    row('a rule after content from outside, a read', await ratioOf(off, marking, 'mail_read', read), 1.03),
    row('the same, a write', await ratioOf(off, marking, 'mail_send', { to: 'ben' }), 1.03),
    row('secrets taken out of 5 letters', await ratioOf(off, cleaning, 'mail_read', read), null),
  ];
  for (const { app } of [off, alike, marking, cleaning]) await app.close();
  return rows;
}

const row = (what: string, ratio: number, bar: number | null): Row => ({
  work: `content from outside: ${what}, compared with none`,
  measured: `${ratio.toFixed(3)} ×`,
  bar: bar === null ? null : `≤ ${bar} ×`,
  holds: bar === null || ratio <= bar,
});
