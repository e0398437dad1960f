// Waits for nothing, because the program carries the texts itself.
import type { SearchTables, Texts } from '../../src/ports/texts.ts';

export const createCarriedTexts = (tables: SearchTables): Texts => ({
  of: async () => {},
  all: async () => {},
  tables: async () => tables,
  operations: async (describe) => describe(),
});
