import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a loaded machine: not in vitest's one second.
    expect: { poll: { timeout: 20_000 } },
    // Two cores: more files at once only makes the multi-process tests noisy.
    maxWorkers: 2,
  },
});
