// The database of a project: tables, SQL and migrations.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { PROJECT, pickAll, ref, row, send, text } from './api.ts';

const QUERY = `${PROJECT}/database/query` as const;
const READ_ONLY = `${QUERY}/read-only` as const;

const parameters = () =>
  z.array(z.unknown()).optional().describe('Values for $1, $2 and so on, such as ["ana@example.com"]');

const COLUMNS = `select c.table_schema as schema, c.table_name as table, t.table_type as type,
  json_agg(json_build_object('name', c.column_name, 'type', c.data_type, 'nullable', c.is_nullable = 'YES',
    'default', c.column_default) order by c.ordinal_position) as columns
from information_schema.columns c
join information_schema.tables t using (table_schema, table_name)
where c.table_schema = any (string_to_array($1, ','))
group by 1, 2, 3 order by 1, 2`;

export const database: readonly Tool[] = [
  tool(
    'supabase_list_tables',
    'List the tables and views of a project with their columns',
    () => ({
      ref,
      schemas: z
        .array(text.regex(/^[^,]+$/))
        .min(1)
        .default(['public'])
        .describe('Schemas to look in'),
    }),
    async ({ schemas, ...args }, { upstream }) =>
      send(upstream, `POST ${READ_ONLY}`, { ...args, query: COLUMNS, parameters: [schemas.join(',')] }),
  ),
  row(
    'supabase_query',
    `POST ${READ_ONLY}`,
    'Read the database of a project with SQL, as a role that can change nothing',
    () => ({
      ref,
      query: text.describe('SQL that reads, such as select * from orders limit 20'),
      parameters: parameters(),
    }),
    { access: 'read' },
  ),
  row(
    'supabase_execute_sql',
    `POST ${QUERY}`,
    'Run statements of SQL that change the data of a project; supabase_apply_migration changes tables',
    () => ({
      ref,
      query: text.describe("SQL, such as update orders set state = 'paid' where id = $1"),
      parameters: parameters(),
    }),
    // SQL can delete everything.
    { access: 'destroy' },
  ),
  row(
    'supabase_list_migrations',
    `GET ${PROJECT}/database/migrations`,
    'List the migrations of a project that have been applied',
    () => ({ ref }),
    { result: pickAll(() => ({ version: text, name: z.string().nullish() })) },
  ),
  row(
    'supabase_apply_migration',
    `POST ${PROJECT}/database/migrations`,
    'Apply a migration to the database of a project, and note it in the history',
    () => ({
      ref,
      name: text.describe('What it does, such as add_orders_table'),
      query: text.describe('SQL that changes tables, such as create table orders (id bigint primary key)'),
    }),
    { access: 'destroy' },
  ),
];
