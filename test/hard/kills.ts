// Kills the gateway with kill -9 during writes, in several rounds, and checks that no acknowledged write is
// lost.
import { figure } from './figures.ts';
import { openStand, type Started } from './stand.ts';

const ROUNDS = 6;
const WRITERS = 6;
const WRITES = 60;

export async function killRuns(): Promise<void> {
  const stand = await openStand();
  try {
    const acknowledged = new Map<string, string>();
    let gateway = await stand.start();
    const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
    let cut = 0;
    for (let round = 0; round < ROUNDS; round++) {
      cut += await writeUntilKilled(gateway, headers, round, acknowledged);
      gateway = await stand.start();
    }
    let lost = 0;
    for (const [name, content] of acknowledged) {
      const response = await gateway.request(`/j/${name}/`);
      if (response.status !== 200 || (await response.text()) !== content) lost++;
    }
    figure('kill -9, rounds', ROUNDS);
    figure('kill -9, writes acknowledged', acknowledged.size, acknowledged.size >= ROUNDS * WRITES);
    figure('kill -9, writes without a response', cut);
    figure('kill -9, acknowledged writes lost', lost, lost === 0);
    await gateway.stop();
  } finally {
    await stand.close();
  }
}

/** Returns how many calls ended without a response. */
async function writeUntilKilled(
  gateway: Started,
  headers: Record<string, string>,
  round: number,
  acknowledged: Map<string, string>,
): Promise<number> {
  let done = 0;
  let next = 0;

  async function writeOnAndOn(): Promise<void> {
    for (;;) {
      const name = `r${round}-${next++}`;
      const content = `<p>${name}</p>`;
      const args = { name, files: [{ path: 'index.html', content }] };
      const body = JSON.stringify({ tool: 'deploy_jot', args });
      const response = await gateway.request('/rest/jots', { method: 'POST', headers, body });
      if (response.status !== 200) throw new Error(`a deploy failed with ${response.status}`);
      await response.text();
      acknowledged.set(name, content);
      if (++done >= WRITES) gateway.signal('SIGKILL', 'group');
    }
  }

  const ended = await Promise.allSettled(Array.from({ length: WRITERS }, writeOnAndOn));
  await gateway.exited;
  return ended.length;
}
