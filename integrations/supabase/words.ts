// Lists words that people use for Supabase and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    supabase_list_tables: 'schema columns database structure',
    supabase_query: 'select postgres sql find count rows',
    supabase_execute_sql: 'insert update delete postgres rows',
    supabase_get_logs: 'error requests debug why failed',
    supabase_list_functions: 'serverless',
    supabase_deploy_function: 'publish update edge serverless code',
    supabase_apply_migration: 'create alter table schema ddl',
    supabase_get_advisors: 'lint vulnerabilities slow rls',
  },
};
