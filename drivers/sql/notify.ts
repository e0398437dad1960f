// Makes the statement that tells those who listen on a channel of PostgreSQL.
import { CompiledQuery } from 'kysely';

export const notifyStatement = (channel: string, text: string): CompiledQuery =>
  CompiledQuery.raw('select pg_notify($1, $2)', [channel, text]);
