// No portal: for runtimes that serve it by themselves, and for tests.
import type { Assets } from '../../src/ports/assets.ts';

export function createNoAssets(): Assets {
  return { get: async () => null };
}
