// A Worker that opens PostgreSQL for each request, as the edge adapter does behind Hyperdrive.
import { createSchema } from '../../../drivers/sql/engine.ts';
import { openPostgres } from '../../../drivers/sql/postgres.ts';
import { createSqlStore } from '../../../drivers/sql/store.ts';

export default {
  async fetch(request: Request, env: { DATABASE_URL: string }): Promise<Response> {
    const engine = openPostgres(env.DATABASE_URL, { max: 2 });
    const store = createSqlStore(engine);
    try {
      await createSchema(engine);
      const email = new URL(request.url).searchParams.get('email') ?? '';
      const { id } = await store.users.create({ id: crypto.randomUUID(), email, created_at: 2 ** 33 });
      return Response.json(await store.users.byId(id));
    } finally {
      await store.close();
    }
  },
};
