// Opens the database at a URL, also in each process of a race.
import type { Engine } from '../../../drivers/sql/engine.ts';
import { openPostgres } from '../../../drivers/sql/postgres.ts';
import { openSqlite } from '../../../drivers/sql/sqlite.ts';

export const openAt = (url: string): Engine =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
