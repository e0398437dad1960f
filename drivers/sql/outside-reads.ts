// The last read of content from outside of each caller. One row a caller, and the latest read stays.
import type { OutsideRead, OutsideReads } from '../../src/ports/outside-reads.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createOutsideReads({ db, dialect, one, change }: Sql): OutsideReads {
  const note = prepare((p: OutsideRead & { id: string }) =>
    db
      .insertInto('outside_reads')
      .columns(columns('outside_reads'))
      .expression(() => {
        const wanted = db
          .selectFrom('users')
          .select(selected('outside_reads', p))
          .where('users.id', '=', p.user_id)
          .where('deleted_at', 'is', null);
        // A deletion waits for this write, and then finds its row.
        return dialect === 'postgres' ? wanted.forShare() : wanted;
      })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((is) => ({
            tool: is.ref('excluded.tool'),
            read_at: is.ref('excluded.read_at'),
            expires_at: is.ref('excluded.expires_at'),
          }))
          .whereRef('excluded.read_at', '>=', 'outside_reads.read_at'),
      ),
  );
  const shown = columns('outside_reads').filter((name) => name !== 'id');
  const last = prepare((p: { id: string }) =>
    db.selectFrom('outside_reads').select(shown).where('id', '=', p.id),
  );

  return {
    async note(read) {
      await change(note({ ...read, id: idOf(read.user_id, read.caller) }));
    },
    last: (userId, caller) => one(last({ id: idOf(userId, caller) })),
  };
}

const idOf = (userId: string, caller: string): string => `${userId} ${caller}`;
