// Checks that every test file runs: each one belongs to one project of vitest.config.ts, and CI runs all projects.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECTS, SLOW } from '../vitest.config.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const find = (include: string | string[], exclude: readonly string[] = []) =>
  globSync(include, { cwd: ROOT, exclude });

/** Turns a pattern with `{a,b}` into one pattern for each choice. */
function expandBraces(pattern: string): string[] {
  const [braces, choices = ''] = /\{(.*?)\}/.exec(pattern) ?? [];
  return braces === undefined
    ? [pattern]
    : choices.split(',').map((choice) => pattern.replace(braces, choice));
}

/** Every file with a name that people give to tests, in any folder. */
const TEST_FILES = find('**/*.{test,tests,spec,fuzz}.{ts,tsx,js,mjs}', [
  '**/node_modules/**',
  '**/.venv/**',
  'dist',
]);

describe('The projects of vitest.config.ts', () => {
  it('run every test file exactly once', () => {
    const runs = Object.values(PROJECTS).flatMap((project) =>
      find(project.include, 'exclude' in project ? project.exclude : []),
    );
    expect(runs.toSorted()).toEqual(TEST_FILES.toSorted());
    expect(runs.length).toBeGreaterThan(150);
  });

  it('list no slow file that does not exist', () => {
    expect(SLOW.flatMap(expandBraces).filter((pattern) => find(pattern).length === 0)).toEqual([]);
  });

  it('keep the most test files in the fast run', () => {
    expect(find(PROJECTS.fast.include, PROJECTS.fast.exclude).length).toBeGreaterThan(TEST_FILES.length / 2);
  });
});

describe('package.json', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const vitest = 'node adapters/node/launch.mjs node_modules/vitest/vitest.mjs run';

  it('runs the fast projects with `npm test`, and all projects with `npm run test:full`', () => {
    expect(scripts['test']).toBe(`${vitest} --project fast --project apart`);
    expect(scripts['test:full']).toBe(vitest);
  });
});

describe('.ci/run', () => {
  it('runs all tests', () => {
    expect(read('.ci/run').match(/npm (?:run test\S*|test).*/g)).toEqual([
      expect.stringMatching(/^npm run test:full -- --reporter=default --reporter=json /),
    ]);
  });
});
