// Measures how many deliveries of webhooks are stored durably in a second over HTTP, and what a thousand waiting readers take.
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { requestsPerSecond } from './load.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { type Gateway, startGateway } from './servers.ts';

const ROUNDS = 3;
/** An address takes 10,000 deliveries a minute, so each round has one of its own. */
const SECONDS = 2;
const CONNECTIONS = 100;
const DELIVERIES_BAR = 2_000;
const READERS = 1_000;
const READERS_MIB = 64;
const PAUSE_MS = 100;

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

export async function eventRows(): Promise<Row[]> {
  const gateway = await startGateway(undefined, { PERSON_MAX_CALLS: String(2 * READERS) });
  try {
    return [await deliveries(gateway), await readers(gateway)];
  } finally {
    await gateway.stop();
  }
}

async function run(
  { url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
  tool: string,
  args: object,
  dispatcher?: Agent,
) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body: JSON.stringify({ tool, args }),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  };
  const response = await fetch(`${url}/rest/events`, init);
  const body = await response.json();
  if (response.status !== 200) throw new Error(`${tool}: ${response.status} ${JSON.stringify(body)}`);
  return body.result;
}

const subscribe = (gateway: Gateway) =>
  run(gateway, 'events_subscribe', { integration: 'webhook', event: 'header' });

async function deliveries(gateway: Gateway): Promise<Row> {
  const body = JSON.stringify({ type: 'bench', text: 'x'.repeat(1_000) });
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { address, secret } = await subscribe(gateway);
    const shot = {
      url: address.replace('localhost', '127.0.0.1'),
      headers: { 'x-webhook-secret': secret, 'content-type': 'application/json' },
      body,
      connections: CONNECTIONS,
    };
    rates.push(await requestsPerSecond(shot, SECONDS));
  }
  const rate = median(rates);
  return {
    work: 'webhooks of 1 KiB stored durably before their answer, 100 connections, one process on one core',
    measured: `${Math.round(rate)} a second`,
    bar: `≥ ${DELIVERIES_BAR} a second`,
    holds: rate >= DELIVERIES_BAR,
  };
}

async function readers(gateway: Gateway): Promise<Row> {
  const { address, secret } = await subscribe(gateway);
  const { cursor } = await run(gateway, 'events_read', { cursor: 'now' });
  const before = residentMib(gateway.pid);
  // The pool of fetch itself opens fewer connections at once.
  const dispatcher = new Agent({ connections: READERS });
  const asked = { cursor, waitSec: 50 };
  const readings = Array.from({ length: READERS }, () => run(gateway, 'events_read', asked, dispatcher));
  let taken = 0;
  for (let look = 0; look < 100; look++) {
    await pause();
    taken = Math.max(taken, residentMib(gateway.pid) - before);
  }
  await fetch(address, { method: 'POST', headers: { 'x-webhook-secret': secret }, body: '{}' });
  const woken = (await Promise.all(readings)).filter(({ events }) => events.length === 1).length;
  await dispatcher.close();
  return {
    work: `${READERS} readers that wait over HTTP, ${woken} of them woken by one event`,
    measured: `${taken.toFixed(1)} MiB`,
    bar: `< ${READERS_MIB} MiB`,
    holds: taken < READERS_MIB && woken === READERS,
  };
}

function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}
