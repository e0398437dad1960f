// Tests that the servers that the gateway is compared with write the rows that their comparison claims.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DurablePeer, startDurable, startDurableBare } from './durable-peers.ts';

const CALLS = 400;
const AT_ONCE = 32;

let peer: DurablePeer | undefined;
afterEach(() => peer?.stop());

function answerFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'answer');
  writeFileSync(file, '{"answer":42}');
  return file;
}

describe('the bare framework with a durable row per answer', () => {
  it('commits each row before its answer, several at once', async () => {
    const bare = (peer = await startDurableBare(answerFile()));
    let answers = 0;
    let begun = 0;
    const caller = async () => {
      while (begun++ < CALLS) {
        const response = await fetch(bare.url, { method: 'POST', body: '{}' });
        expect(await response.json()).toEqual({ answer: 42 });
        answers += 1;
        expect(bare.countRows()).toBeGreaterThanOrEqual(answers);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));

    await bare.check();
    expect(bare.countRows()).toBe(CALLS);
    const counts = await bare.counts();
    expect(counts.answers).toBe(CALLS);
    expect(counts.groups).toBeLessThan(CALLS);
  });

  it('keeps every answered row when the process is killed', async () => {
    const bare = (peer = await startDurableBare(answerFile()));
    const answers = Array.from({ length: AT_ONCE }, () => fetch(bare.url, { method: 'POST', body: '{}' }));
    await Promise.all(answers);
    process.kill(bare.pid, 'SIGKILL');

    expect(bare.countRows()).toBe(AT_ONCE);
  });

  it('also writes the rows that no answer waits for', async () => {
    const soon = (peer = await startDurable(
      'test/bench/bare.ts',
      (port) => [answerFile(), String(port)],
      'soon',
    ));
    const answers = Array.from({ length: AT_ONCE }, () => fetch(soon.url, { method: 'POST', body: '{}' }));
    await Promise.all(answers);

    await soon.check();
    expect(soon.countRows()).toBe(AT_ONCE);
  });
});
