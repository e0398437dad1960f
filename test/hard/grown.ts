// Lets a description grow to 15 MiB after its import. The daily check reads it at the next start, in a process with little
// memory. The process survives, and so does the one after it. reference: Imports
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createImportUser } from '../support/import-user.ts';
import { MAX_FLOOD_P99_MS, shownWaits, startBystander } from './bystander.ts';
import { figure, percentile } from './figures.ts';
import { describeLarge, YAML_OF_15_MIB } from './flood-attacks.ts';
import { pause } from './private-services.ts';
import { openStand, type Stand } from './stand.ts';

const ENV = { NODE_OPTIONS: '--max-old-space-size=512' };
const CHECKED_WITHIN_MS = 60_000;
const SMALL = '{"openapi":"3.1.0","info":{"title":"Grown"},"paths":{"/a":{"get":{"operationId":"a"}}}}';

export async function grownRuns(): Promise<void> {
  await grow('hostile YAML', YAML_OF_15_MIB, false);
  await grow('JSON of 1,900 tools', describeLarge('http://127.0.0.1:9'), true);
}

async function grow(kind: string, grown: string, isRead: boolean): Promise<void> {
  const what = `a description that has grown to 15 MiB of ${kind}`;
  let description = SMALL;
  const service = await startHttpServer((_, response) => void response.end(description));
  const stand = await openStand();
  try {
    let gateway = await stand.start(ENV);
    const keyHeader = { 'x-service-api-key': gateway.apiKey };
    const owner = { keyHeader, sessionHeader: { authorization: `Bearer ${gateway.session}` } };
    await createImportUser(gateway, owner).add({ address: `http://127.0.0.1:${service.port}/openapi.json` });
    await gateway.stop();
    description = grown;
    await makeDue(stand);

    gateway = await stand.start(ENV);
    const importer = createImportUser(gateway, owner);
    const headers = { ...keyHeader, 'content-type': 'application/json' };
    const call = { method: 'POST' as const, headers, body: '{"tool":"now"}', expected: '"unix"' };
    const bystander = await startBystander(gateway, '/rest/time', call);
    const begun = performance.now();
    let checked: { checkedAt: number; checkError: string | null; tools: unknown[] };
    do {
      await pause(200);
      checked = await importer.get();
    } while (!isOver(checked) && performance.now() - begun < CHECKED_WITHIN_MS);
    const waited = await bystander.stop();
    const shown = checked.checkError ?? `${checked.tools.length} tools`;
    figure(
      `${what}, the check at the next start`,
      shown,
      isOver(checked) && (checked.checkError === null) === isRead,
    );
    const holds = waited.failed === 0 && percentile(waited.milliseconds, 0.99) < MAX_FLOOD_P99_MS;
    figure(`${what}, a bystander meanwhile`, shownWaits(waited), holds);
    const { code } = await gateway.stop();

    const again = await stand.start(ENV);
    const { status } = await again.request('/rest/time', call);
    const { code: last } = await again.stop();
    figure(
      `${what}, the process, and the start after it`,
      `exit ${code}, answers ${status}, exit ${last}`,
      code === 0 && status === 200 && last === 0,
    );
  } finally {
    await stand.close();
    await service.close();
  }
}

/** The small description has one tool and no error. */
const isOver = ({ checkError, tools }: { checkError: string | null; tools: unknown[] }): boolean =>
  checkError !== null || tools.length > 1;

/** A source is asked again a day after its last check. */
async function makeDue({ site }: Stand): Promise<void> {
  const database = openSqlite(join(site.dataDir, 'service.db'));
  await database.run(CompiledQuery.raw('update imports set checked_at = checked_at - 200000'));
  await database.close();
}
