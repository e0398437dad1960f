// A database whose schema is looked after before its first statement: for runtimes without a start of their own.
import { createSchema, type Engine } from './engine.ts';

/** What is known of a database, kept for as long as nothing else can change it back. */
export interface SchemaSeen {
  complete: boolean;
}

export function openLazily(engine: Engine, seen: SchemaSeen): Engine {
  let preparing: Promise<void> | null = null;

  async function prepare(): Promise<void> {
    if (seen.complete) return;
    try {
      await createSchema(engine);
      seen.complete = true;
    } catch (error) {
      preparing = null;
      throw error;
    }
  }

  const ready = () => (preparing ??= prepare());

  return {
    ...engine,
    async run(query) {
      await ready();
      return engine.run(query);
    },
    async batch(queries) {
      await ready();
      return engine.batch(queries);
    },
  };
}
