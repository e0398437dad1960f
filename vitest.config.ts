// Splits the tests into projects: `npm test` runs `fast` and `apart`, `npm run test:full` runs all of them.
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

/**
 * The slow tests: real browsers, other programs, other databases, workerd, and many processes. This list is the only place
 * that names them, so every other file is fast by default.
 */
export const SLOW = [
  'test/accounts/{connections,doors}.test.ts',
  'test/apps/*.test.ts',
  'test/audit/sealing-servers.test.ts',
  'test/bench/**/*.test.ts',
  'test/calls/keys-many-processes.test.ts',
  'test/clients/*.test.ts',
  'test/counterparts/*.test.ts',
  'test/contracts/app-{node-services,node-workers,worker-d1,worker-postgres}.test.ts',
  'test/contracts/blobs-{r2,s3}.test.ts',
  'test/contracts/{browser-chromium,browser-remote,camera-chromium}.test.ts',
  'test/contracts/pending-{redis,sql}.test.ts',
  'test/contracts/store-{d1,growth,migrations,postgres,postgres-recovery,sqlite-processes,sweep,upgrade}.test.ts',
  'test/events/deaths-engines.test.ts',
  'test/examples/*.test.ts',
  'test/keys/*.test.ts',
  'test/imports/{frameworks,matrix,mcp-hostile,mcp-hostile-streams,mcp-servers,mcp-sessions,races}.test.ts',
  'test/imports/openapi-{credentials,hostile,large,real,requests}.test.ts',
  'test/integrations/*-{live-view,real}.test.ts',
  'test/node/{audit-command,backup,backup-tampering,bundle,catalog,connections-command,dev,durable,events-kills,fast-path-switch,full-disk,hostile-descriptions,image}.test.ts',
  'test/node/{jots,link,live-view,live-view-elsewhere,local-servers,logs}.test.ts',
  'test/node/{many-processes,memory,npm-start,operator-servers,outages,outside-processes,package,refresh,rotate-keys,seed,small-calls}.test.ts',
  'test/node/{start,start-again,start-warnings,stop,upgrade,upgrade-rolling,workers,workers-streams}.test.ts',
  'test/notices/push-browser.test.ts',
  'test/people/groups-processes.test.ts',
  'test/policy/{exactly-once,tasks-exactly-once}.test.ts',
  'test/portal/{clicks,first-run,github-token,jots,live,live-many-processes,live-mediawiki}.test.ts',
  'test/portal/{portal,portal-approvals,portal-connections,portal-imports}.test.ts',
  'test/people/disabled-under-way.test.ts',
  'test/portal/{portal-actors,portal-events,portal-machines,portal-palette,portal-people,portal-providers,portal-rules,portal-scripts,portal-sets,portal-work}.test.ts',
  'test/scim/{judge,processes}.test.ts',
  'test/scripts/{pauses-engines,process-death}.test.ts',
  'test/spec/{connect-confirm-page,consent-browser,import-sign-in,oauth-races,search-segments}.test.ts',
  'test/spec/live-view-{accounts,apart,bridge,canaries,connect,login}.test.ts',
  'test/workers/*.test.ts',
];

/** Fast tests that replace modules or leave one changed, so that each of them loads its own. */
const APART = [
  'test/contracts/{blobs-fs,network-undici-bodies,store-sqlite-disk}.test.ts',
  'test/imports/openapi-calls.test.ts',
  'test/node/secrets.test.ts',
  'test/portal/live-screencast.test.ts',
];

export const PROJECTS = {
  // Files share the modules of their process: loading them again for each file took more than a third of the time.
  // What `npm run corpus` and the like install has tests of its own.
  fast: {
    include: ['test/**/*.test.ts'],
    exclude: [...SLOW, ...APART, '**/node_modules/**', '**/.venv/**'],
    isolate: false,
  },
  apart: { include: APART },
  slow: { include: SLOW },
  // The time limit is for a longer run with FUZZ_RUNS.
  fuzz: { include: ['test/fuzz/*.fuzz.ts'], testTimeout: 300_000 },
};

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A loaded machine needs more than vitest's one second.
    expect: { poll: { timeout: 20_000 } },
    // CI has two cores: more files at once make the tests with many processes unreliable.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    projects: Object.entries(PROJECTS).map(([name, project]) => ({
      extends: true,
      test: { name, ...project },
    })),
  },
});
