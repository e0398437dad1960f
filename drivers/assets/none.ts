// No portal: for a Worker that has none bound, and for tests.
import type { Assets } from '../../src/ports/assets.ts';

export function createNoAssets(): Assets {
  return { get: async () => null };
}
