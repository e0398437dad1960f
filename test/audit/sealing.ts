// What sealing does on every database: each row once, also when it is stopped anywhere, and what erasing and pruning leave.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../drivers/sql/engine.ts';
import { entry, NOW } from '../contracts/store/records.ts';
import type { OpenEngine } from '../contracts/store/open.ts';
import { KEY, kindsOf, LIMITS, openAudit, OTHER_KEY } from '../support/sealed-audit.ts';

const DAY = 24 * 3_600;

/** Stops as a killed process does: before the statement with this number, or right after it was done. */
function stopAt(
  engine: Engine,
  stop: number,
  isDone: boolean,
): { engine: Engine; hasStopped: () => boolean } {
  let count = 0;
  let hasStopped = false;
  const guard = <A extends unknown[], R>(run: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      if (count++ < stop && !hasStopped) return run(...given);
      if (!hasStopped && isDone) await run(...given);
      hasStopped = true;
      throw new Error('stopped');
    };
  };
  return {
    engine: { ...engine, run: guard(engine.run), batch: guard(engine.batch) },
    hasStopped: () => hasStopped,
  };
}

export function sealingSuite(name: string, open: () => Promise<OpenEngine>): void {
  describe(`sealing on ${name}`, () => {
    let opened: OpenEngine;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const ranges = async (engine: Engine) =>
      (await openAudit(engine).store.auditSegments.page(0, 100)).map(({ segment, rows }) => [segment, rows]);

    it('waits until a segment is full or its first row is old, and seals nothing twice', async () => {
      const audit = openAudit(opened.engine, { now: NOW });
      await audit.append(...Array.from({ length: 9 }, () => entry()));
      await audit.seal();
      expect(await ranges(opened.engine)).toEqual([]);
      await audit.append(...Array.from({ length: 4 }, () => entry()));
      await audit.seal();
      expect(await ranges(opened.engine)).toEqual([[1, 10]]);
      audit.clock.advance(LIMITS.seconds);
      await audit.seal();
      await audit.seal();
      expect(await ranges(opened.engine)).toEqual([
        [1, 10],
        [2, 3],
      ]);
      expect(await audit.verify()).toMatchObject({ rows: 13, unsealedRows: 0, problems: [] });
    });

    it('seals every row once when it is stopped before or after any statement, and another process goes on', async () => {
      let rows = 0;
      for (const isDone of [false, true]) {
        for (let stop = 0; ; stop++) {
          const stopped = stopAt(opened.engine, stop, isDone);
          await openAudit(opened.engine).append(...Array.from({ length: 13 }, () => entry()));
          rows += 13;
          await openAudit(stopped.engine)
            .seal()
            .catch(() => {});
          // The lease of the stopped process is over.
          const next = openAudit(opened.engine, { now: NOW + 1_000 + (stop + 1) * 3_600 });
          await next.run('delete from leases');
          await next.seal();
          const verified = await next.verify();
          expect({ stop, ...verified }).toMatchObject({ stop, rows, unsealedRows: 0, problems: [] });
          if (!stopped.hasStopped()) break;
        }
      }
    });

    it('seals every row once when two processes seal at the same time without a lease between them', async () => {
      const one = openAudit(opened.engine);
      await one.append(...Array.from({ length: 95 }, () => entry()));
      const sealers = Array.from({ length: 3 }, () => {
        const { engine } = opened;
        const audit = openAudit(engine);
        // Every process believes that it has the lease.
        audit.store.leases.acquire = async () => true;
        return audit;
      });
      await Promise.all(sealers.map((sealer) => sealer.seal()));
      await one.seal();
      expect(await one.verify()).toMatchObject({ segments: 10, rows: 95, unsealedRows: 0, problems: [] });
    });

    it('takes another key over, and checks with both public keys', async () => {
      const before = openAudit(opened.engine);
      await before.append(...Array.from({ length: 12 }, () => entry()));
      await before.seal();
      const after = openAudit(opened.engine, { key: OTHER_KEY, now: NOW + 5_000 });
      await after.append(entry());
      await after.seal();
      expect(kindsOf(await after.verify([OTHER_KEY]))).toEqual(['unknown-key 1', 'unknown-key 2']);
      expect(await after.verify([KEY, OTHER_KEY])).toMatchObject({ segments: 3, problems: [] });
    });

    it('keeps the proof when a person is erased, and leaves no way to guess what was there', async () => {
      const audit = openAudit(opened.engine, { now: NOW + 1_000 });
      const [ana, other] = [entry({ user_id: 'ana', error: 'for ana', account: 'ana@x.org' }), entry()];
      await audit.append(...Array.from({ length: 14 }, (_, at) => (at % 3 === 0 ? ana : other)));
      await audit.seal();
      await audit.append(ana, other);
      while (await audit.erase(['ana'], 'deleted-1'));
      const left = JSON.stringify(await audit.run('select * from audit'));
      expect(left).not.toMatch(/"ana"|for ana|ana@x/);
      const erased = await audit.run('select salt, commitment from audit where commitment is not null');
      expect(erased).toHaveLength(6);
      expect(erased.every((row) => (row as { salt: unknown }).salt === null)).toBe(true);
      // Rows that say the same have other commitments: without the salt nobody can try likely values.
      expect(new Set(erased.map((row) => JSON.stringify(row))).size).toBe(6);
      expect(await audit.verify()).toMatchObject({ erasedRows: 5, problems: [] });
      audit.clock.advance(700);
      await audit.seal();
      const verified = await audit.verify();
      expect(verified).toMatchObject({ rows: 17, erasedRows: 6, unsealedRows: 0, problems: [] });
      const listed = await audit.store.audit.list({ user_id: 'deleted-1', limit: 9 });
      expect(listed[0]).toMatchObject({ integration: 'gateway', tool: 'gateway_erase_audit' });
    });

    it('notices a person who was erased by hand, and what was written into an erased row', async () => {
      const audit = openAudit(opened.engine);
      const rows = Array.from({ length: 10 }, (_, at) => entry({ user_id: at < 2 ? 'ana' : 'bo' }));
      await audit.append(...rows);
      await audit.seal();
      await audit.erase(['ana'], 'deleted-1');
      audit.clock.advance(700);
      await audit.seal();
      expect(await audit.verify()).toMatchObject({ erasedRows: 2, problems: [] });
      const ids = (await audit.run("select id from audit where user_id = 'bo' order by id")).map(
        (row) => (row as { id: number }).id,
      );
      const [first = 0] = ids;
      // They do exactly what the gateway does, and use its pseudonym.
      const attacker = openAudit(opened.engine, { key: OTHER_KEY });
      const { commitmentOf } = await import('../../src/record/sealing/leaf.ts');
      const [row] = await attacker.store.auditSegments.rows(first - 1, first, 1);
      if (row === undefined) throw new Error('The row is gone');
      const commitment = commitmentOf(row, attacker.digest);
      await attacker.run(
        `update audit set user_id = 'deleted-1', commitment = '${commitment}', salt = null, actor = null where id = ${first}`,
      );
      expect(kindsOf(await audit.verify())).toEqual([`erased-by-hand 1 ${first}`]);
      // They sign an erasure of their own.
      await attacker.erase(['bo'], 'deleted-2');
      expect(kindsOf(await audit.verify())).toEqual([
        expect.stringMatching(/^erasure /),
        expect.stringMatching(/^erased-by-hand 1 /),
      ]);
      await audit.run("update audit set error = 'by ana' where user_id = 'deleted-1'");
      expect(kindsOf(await audit.verify())).toContain(`erased-by-hand 1 ${first - 2}-${first + 7}`);
    });

    it('deletes whole segments that are old enough, keeps their heads, and goes on after a stop anywhere', async () => {
      const env = { AUDIT_KEEP_DAYS: '30' };
      const start = openAudit(opened.engine, { env, now: NOW });
      await start.append(...Array.from({ length: 25 }, () => entry()));
      await start.append(...Array.from({ length: 5 }, () => entry({ created_at: NOW + DAY })));
      start.clock.advance(DAY + 700);
      await start.append(entry({ created_at: start.clock.now() }));
      await start.seal();
      await start.prune();
      expect(await start.verify()).toMatchObject({ segments: 3, rows: 30, prunedRows: 0, problems: [] });
      const now = NOW + 30 * DAY + 1;
      for (const isDone of [false, true]) {
        for (let stop = 0; stop < 12; stop++) {
          const stopped = openAudit(stopAt(opened.engine, stop, isDone).engine, { env, now });
          await stopped.prune().catch(() => {});
          await start.run('delete from leases');
          const { problems, rows, prunedRows } = await start.verify();
          expect({ problems, all: rows + prunedRows }).toEqual({ problems: [], all: 30 });
        }
      }
      const later = openAudit(opened.engine, { env, now });
      await later.prune();
      // The newest row of the third segment is a day younger, and the last row is not sealed.
      expect(await later.verify()).toMatchObject({
        rows: 10,
        prunedSegments: 2,
        prunedRows: 20,
        unsealedRows: 1,
      });
      expect(await later.run('select id from audit')).toHaveLength(11);
      const all = openAudit(opened.engine, { env, now: now + 40 * DAY });
      await all.seal();
      await all.prune();
      expect(await all.run('select id from audit')).toEqual([]);
      expect(await all.verify()).toMatchObject({ segments: 4, rows: 0, prunedRows: 31, problems: [] });
    });

    it('notices a segment that was pruned by hand, and rows that appear in a pruned one', async () => {
      const env = { AUDIT_KEEP_DAYS: '1' };
      const audit = openAudit(opened.engine, { env, now: NOW + 2 * DAY });
      await audit.append(...Array.from({ length: 10 }, () => entry()));
      await audit.append(...Array.from({ length: 10 }, () => entry({ created_at: NOW + 2 * DAY })));
      await audit.seal();
      await audit.prune();
      expect(await audit.verify()).toMatchObject({ rows: 10, prunedRows: 10, problems: [] });
      const [taken] = await audit.run(
        'select pruned_at, pruned_key, pruned_signature from audit_segments where segment = 1',
      );
      const { pruned_at, pruned_key, pruned_signature } = taken as Record<string, string | number>;
      await audit.run('delete from audit');
      await audit.run(
        `update audit_segments set row_index = null, pruned_at = ${pruned_at}, pruned_key = '${pruned_key}', pruned_signature = '${pruned_signature}' where segment = 2`,
      );
      expect(kindsOf(await audit.verify())).toEqual(['pruned-by-hand 2', 'rows-differ 2']);
    });

    it('seals rows of version 0.1, and reads a column that a newer version has added', async () => {
      const audit = openAudit(opened.engine);
      await audit.run(
        `insert into audit (user_id, integration, tool, action, success, duration_ms, created_at) values ('u', 'github', 't', 'EXECUTE', 1, 5, ${NOW})`,
      );
      await audit.append(entry());
      await audit.run('alter table audit add column later text');
      await audit.run("update audit set later = 'x' where salt is not null");
      await audit.seal();
      expect(await audit.verify()).toMatchObject({ rows: 2, problems: [] });
      await audit.run("update audit set later = 'y' where salt is not null");
      expect(kindsOf(await audit.verify())).toHaveLength(1);
    });
  });
}

/** One walk through everything, for an engine that is slow to open. */
export function edgeSuite(name: string, open: () => Promise<OpenEngine>): void {
  it(`seals, erases, prunes and checks on ${name}`, async () => {
    const opened = await open();
    try {
      const audit = openAudit(opened.engine, { env: { AUDIT_KEEP_DAYS: '1' } });
      const rows = Array.from({ length: 25 }, (_, at) => entry({ user_id: at % 5 === 0 ? 'ana' : 'bo' }));
      await audit.append(...rows);
      await audit.seal();
      expect(await audit.erase(['ana'], 'deleted-1')).toBe(false);
      expect(await audit.verify()).toMatchObject({ segments: 3, rows: 25, erasedRows: 5, problems: [] });
      const [changed] = await audit.run("select id from audit where user_id = 'bo' order by id");
      const { id } = changed as { id: number };
      await audit.run(`update audit set duration_ms = duration_ms + 1 where id = ${id}`);
      expect(kindsOf(await audit.verify())).toEqual([`rows-changed 1 ${id}`]);
      await audit.run(`update audit set duration_ms = duration_ms - 1 where id = ${id}`);
      const one = await audit.store.auditSegments.newest();
      expect(one === null ? null : await audit.store.auditSegments.add(one)).toBe(false);
      audit.clock.advance(2 * DAY);
      await audit.seal();
      await audit.prune();
      expect(await audit.verify()).toMatchObject({ rows: 0, prunedRows: 26, unsealedRows: 0, problems: [] });
    } finally {
      await opened.close();
    }
  });
}
