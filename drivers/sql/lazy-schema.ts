// Creates a database's schema before the first statement, for runtimes without a start of their own.
import { createSchema, type Engine } from './engine.ts';

/** What is known about a database's schema, remembered because nothing else can undo it. */
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
