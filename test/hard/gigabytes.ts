// Transfers a gibibyte each way through /c, alone and four at once, and checks the bytes and the memory.
// reference: Curl proxy; decision: 012
import { createHash } from 'node:crypto';
import { figure } from './figures.ts';
import { blocks, digestOf, openStand, type Started } from './stand.ts';
import { readVitals, watchVitals } from './vitals.ts';

const MEBIBYTES = 1_024;
const MOST_GROWTH = 128;

export async function gigabyteRuns(): Promise<void> {
  // Runs first, because computing the digest blocks the event loop and no connection would be served.
  const expected = digestOf(MEBIBYTES);
  const stand = await openStand();
  try {
    const gateway = await stand.start();
    const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
    const authorization = `Bearer ${await stand.curlToken(gateway, headers)}`;
    const down = async () => {
      const response = await gateway.request(`/c/resend/down?mib=${MEBIBYTES}`, {
        headers: { authorization },
      });
      const hash = createHash('sha256');
      for await (const chunk of response.body ?? []) hash.update(chunk);
      return hash.digest('hex') === expected;
    };
    const up = async () => {
      const init = { method: 'POST', headers: { authorization }, body: blocks(MEBIBYTES), duplex: 'half' };
      return (await (await gateway.request('/c/resend/up', init as RequestInit)).text()) === expected;
    };
    for (const [name, transfer] of Object.entries({ down, up }))
      for (const atOnce of [1, 4])
        await measure(gateway, `1 GiB ${name}, ${atOnce} at once`, transfer, atOnce);
    await gateway.stop();
  } finally {
    await stand.close();
  }
}

async function measure(
  gateway: Started,
  name: string,
  transfer: () => Promise<boolean>,
  atOnce: number,
): Promise<void> {
  const { resident: before } = await readVitals(gateway);
  const watching = watchVitals(gateway);
  const same = await Promise.all(Array.from({ length: atOnce }, transfer));
  const { resident: most } = await watching.stop();
  figure(`${name}, SHA-256 equal`, String(same.every(Boolean)), same.every(Boolean));
  figure(`${name}, memory growth`, `${most - before} MiB`, most - before <= MOST_GROWTH);
}
