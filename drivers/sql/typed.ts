// Gives values that a statement selects the type of their column: PostgreSQL has to be told it.
import type { ExpressionBuilder } from 'kysely';
import type { Database } from './schema.ts';

export const typed = <T extends keyof Database>(is: ExpressionBuilder<Database, T>) => ({
  text: (value: string | null) => is.cast<string>(is.val(value), 'text'),
  number: (value: number | null) => is.cast<number>(is.val(value), 'bigint'),
});
