// Serves no portal: for a Worker without an asset binding, and for tests.
import type { Assets } from '../../src/ports/assets.ts';

export function createNoAssets(): Assets {
  return { get: async () => null };
}
