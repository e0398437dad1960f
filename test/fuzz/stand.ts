// Opens an application for a fuzz test, and checks that no input makes it log an error.
import { afterAll, beforeAll, expect } from 'vitest';
import { createTestApp, type Options, type TestApp, type TestUser } from '../support/test-app.ts';

export interface Stand {
  app: TestApp;
  ana: TestUser;
}

export function useStand(options: Options = {}): Stand {
  // The `beforeAll` fills the object before the first test runs.
  const stand = {} as Stand;
  beforeAll(async () => {
    stand.app = await createTestApp(options);
    stand.ana = await stand.app.user();
  });
  afterAll(async () => {
    expect(stand.app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    await stand.app.close();
  });
  return stand;
}

/** Fails for a status that no input may cause. */
export function expectSound({ status }: Response, input: unknown): void {
  if (status >= 500 && status !== 502)
    throw new Error(`${status} for ${JSON.stringify(input).slice(0, 2_000)}`);
}
