// A minimal Worker that runs the statements of the test process on its D1.
import type { D1Database } from '../../../drivers/sql/d1.ts';

export interface Told {
  statements: { sql: string; values: unknown[] }[];
  isBatch: boolean;
}

export default {
  async fetch(request: Request, { DB }: { DB: D1Database }): Promise<Response> {
    const { statements, isBatch } = (await request.json()) as Told;
    try {
      const prepared = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
      return Response.json(
        await (isBatch ? DB.batch(prepared) : Promise.all(prepared.map((one) => one.all()))),
      );
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
