// Tests npm run audit beside a running gateway and away from it. reference: Audit segments
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { importAuditKey } from '../../src/record/sealing/key.ts';
import { entry } from '../contracts/store/records.ts';
import { openSite, type Site } from '../support/gateway-process.ts';
import { KEY, openAudit } from '../support/sealed-audit.ts';

// Each command is a process of its own, which takes seconds on a loaded machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

it('refuses to make a gateway, then checks one that runs, names what was changed, and checks it from elsewhere', async () => {
  const nobody = await site.audit(['key']);
  expect(nobody).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no gateway') });
  await site.start();
  const dataDir = join(site.dataDir);
  const key = await importAuditKey((await readFile(join(dataDir, 'audit-signing-key'), 'utf8')).trim());
  expect(await site.audit(['key'])).toMatchObject({ code: 0, stdout: `${key.publicKey}\n` });

  const engine = openSqlite(join(dataDir, 'service.db'));
  try {
    const audit = openAudit(engine, { key });
    await audit.append(...Array.from({ length: 12 }, () => entry()));
    await audit.seal();
    const heads = await audit.store.auditSegments.page(0, 9);
    const right = await site.audit(['verify', '--json']);
    expect({ code: right.code, ...JSON.parse(right.stdout) }).toMatchObject({
      code: 0,
      ok: true,
      rows: 12,
      problems: [],
    });

    // Somebody who has only a copy of the database, the public key and the log.
    const log = join(dataDir, 'gateway.log');
    const lines = heads.map((head) =>
      JSON.stringify({ time: 'x', event: 'audit segment sealed', v: 1, ...head }),
    );
    await writeFile(log, ['not JSON', ...lines].join('\n'));
    const keys = join(dataDir, 'keys.txt');
    await writeFile(keys, `# the key of 2026\n${key.publicKey}\n`);
    const elsewhere = [
      'verify',
      '--database',
      `sqlite:${join(dataDir, 'service.db')}`,
      '--keys',
      keys,
      '--heads',
      log,
    ];
    const none = { DATA_DIR: '/nowhere' };
    expect((await site.audit(elsewhere, none)).stdout).toMatch(
      /compared with \d heads?[^]*Everything fits\./,
    );

    const [row] = await audit.run('select min(id) as id from audit');
    const { id } = row as { id: number };
    await audit.run(`update audit set tool = 'other' where id = ${id}`);
    const wrong = await site.audit(elsewhere, none);
    expect(wrong).toMatchObject({ code: 1, stderr: '' });
    expect(wrong.stdout).toContain(`WRONG: segment 1: row ${id} was changed\n`);
    const stranger = await site.audit(['verify', '--json', '--keys', KEY.publicKey]);
    expect(JSON.parse(stranger.stdout).problems[0]).toMatchObject({ kind: 'unknown-key' });
    const told = await site.audit(['verify', '--keys', KEY.publicKey]);
    expect(told.stdout).toContain('Was AUDIT_SIGNING_KEY changed? Then give the former public key too');
    expect(wrong.stdout).not.toContain('AUDIT_SIGNING_KEY');
    await audit.run(`update audit set id = -9007199254740991 where id = ${id}`);
    expect((await site.audit(elsewhere, none)).stdout).toContain('WRONG: 1 row has an id below 1 or above');
  } finally {
    await engine.close();
  }
});

it.each([
  [['verify', '--keys', 'ed25519:abc'], 'is no public key'],
  [['verify', '--database', 'sqlite:/nowhere/x.db', '--keys', KEY.publicKey], 'does not exist'],
  [['shout'], 'usage:'],
])('refuses %j with a sentence', async (args, text) => {
  const { code, stderr } = await site.audit(args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(text) });
});
