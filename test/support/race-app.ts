// Opens the whole application on a shared database, and sends it all requests of a race at once.
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { createTestApp, type TestApp } from './test-app.ts';

export interface RaceRequest {
  path: string;
  form?: Record<string, string>;
  cookie?: string;
}

export interface RaceAnswer {
  status: number;
  location: string;
  text: string;
}

export type RaceJob =
  | 'close'
  | { open: { url: string; env: Record<string, string> } }
  | { requests: RaceRequest[] };

/** Opens the application on the database at a URL, with a real clock. */
export function openRaceApp(url: string, env: Record<string, string>): Promise<TestApp> {
  return createTestApp({
    env,
    ports: { store: createSqlStore(openAt(url)), clock: createSystemClock(setImmediate) },
  });
}

export async function race(app: TestApp, requests: RaceRequest[]): Promise<RaceAnswer[]> {
  return Promise.all(
    requests.map(async ({ path, form, cookie }) => {
      const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
      const headers = cookie === undefined ? {} : { headers: { cookie } };
      const response = await app.request(path, { ...body, ...headers });
      const location = response.headers.get('location') ?? '';
      return { status: response.status, location, text: await response.text() };
    }),
  );
}
