// Processes that append to PostgreSQL while others seal: a row whose id is older than a sealed one must not be left out.
import { CompiledQuery } from 'kysely';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { entry } from '../contracts/store/records.ts';
import { createPostgresSchema } from '../support/services.ts';
import { openAudit } from '../support/sealed-audit.ts';

export function concurrencySuite(): void {
  describe('sealing while others append', () => {
    it('waits for a transaction that has an id and is not visible, and appends wait for nobody', async () => {
      const schema = await createPostgresSchema();
      const engine = openPostgres(schema.url);
      await createSchema(engine);
      const audit = openAudit(engine);
      const slow = postgres(schema.url, { max: 1, fetch_types: false });
      const insert = `insert into audit (user_id, integration, tool, action, success, duration_ms, created_at) values ('slow', 'a', 'b', 'EXECUTE', 1, 1, 1)`;
      try {
        await slow.unsafe('begin');
        await slow.unsafe(insert);
        await audit.append(...Array.from({ length: 12 }, () => entry()));
        const cut = await audit.store.auditSegments.cut();
        expect(cut?.writers).not.toBe('');
        expect(await audit.store.auditSegments.areDone(cut?.writers ?? '')).toBe(false);
        await audit.seal();
        expect(await audit.store.auditSegments.newest()).toBeNull();
        await slow.unsafe('commit');
        expect(await audit.store.auditSegments.areDone(cut?.writers ?? '')).toBe(true);
        await audit.seal();
        expect(await audit.verify()).toMatchObject({ rows: 13, unsealedRows: 0, problems: [] });
      } finally {
        await slow.end();
        await engine.close();
        await schema.drop();
      }
    });

    it('seals every row of four writers once, by two sealers', async () => {
      const schema = await createPostgresSchema();
      const engines = Array.from({ length: 6 }, () => openPostgres(schema.url, { max: 4 }));
      const [first, ...others] = engines;
      if (first === undefined) throw new Error('No engine was opened');
      await createSchema(first);
      let writing = 4;
      const write = async (engine: (typeof engines)[number]) => {
        const { append } = openAudit(engine);
        for (let round = 0; round < 12; round++)
          await Promise.all(
            [1, 3, 130].map((count) => append(...Array.from({ length: count }, () => entry()))),
          );
        writing--;
      };
      const seal = async (engine: (typeof engines)[number]) => {
        const audit = openAudit(engine, { limits: { rows: 50, seconds: 600, segmentsPerRound: 5 } });
        audit.store.leases.acquire = async () => true;
        while (writing > 0) await audit.seal();
      };
      try {
        await Promise.all([...others.slice(0, 4).map(write), seal(first), seal(others[4] ?? first)]);
        const audit = openAudit(first);
        await audit.seal();
        await audit.seal();
        const limited = openAudit(first, { limits: { rows: 5_000, seconds: 0, segmentsPerRound: 100 } });
        await limited.seal();
        const { rows } = await first.run(CompiledQuery.raw('select count(*) as count from audit'));
        expect(rows).toEqual([{ count: 4 * 12 * 134 }]);
        expect(await audit.verify()).toMatchObject({ rows: 4 * 12 * 134, unsealedRows: 0, problems: [] });
      } finally {
        for (const engine of engines) await engine.close();
        await schema.drop();
      }
    });
  });
}
