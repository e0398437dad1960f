// Lets a SCIM client of others judge the gateway: `scim2 test`, the compliance checks of scim2-tester. reference: SCIM
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { type Gateway, openSite, ROOT, runProgram, type Site } from '../support/gateway-process.ts';
import { SCIM_TOKEN } from '../support/scim.ts';

const SCIM2 = join(ROOT, 'test/frameworks/python/.venv/bin/scim2');
const missing = existsSync(SCIM2) ? undefined : `${SCIM2} is missing; npm run frameworks:python`;

describeWith(
  'the compliance checks of scim2-tester',
  missing,
  () => {
    let site: Site;
    let gateway: Gateway;
    beforeAll(async () => {
      site = await openSite();
      gateway = await site.start({ env: { SCIM_TOKEN } });
    });
    afterAll(() => site.close());

    it('find nothing wrong, and skip only a search of several types at once', async () => {
      const command = [SCIM2, '--url', `${gateway.base}/scim/v2`, 'test', '--verbose'];
      const { exited, output } = runProgram(command, {
        HOME: site.dataDir,
        SCIM_CLI_HEADERS: `Authorization: Bearer ${SCIM_TOKEN}`,
      });
      // The code says whether something was skipped.
      await exited;
      const results = output.stdout.matchAll(/^(SUCCESS|[A-Z]{5,}) ([a-z_]+)$/gm);
      const counts = Map.groupBy(results, ([, status = '', check = '']) =>
        status === 'SUCCESS' ? status : `${status} ${check}`,
      );
      expect([...counts.keys()].toSorted(), output.stdout.slice(-8_000)).toEqual([
        'SKIPPED search_with_attributes',
        'SUCCESS',
      ]);
      expect(counts.get('SUCCESS')?.length).toBeGreaterThan(50);
    }, 120_000);
  },
  { excuse: process.env['WITHOUT_PYTHON'] },
);
