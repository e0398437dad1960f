// What each section is about: one gateway and one browser, there once the tests run.
import type { Browser } from 'playwright-core';
import type { RunningGateway } from '../gateway.ts';
import { type Look, type Visit, visit } from '../visit.ts';

export interface Subject {
  browser(): Browser;
  gateway(): RunningGateway;
}

export const DESKTOP: Look = { theme: 'light', width: 1280 };

/** A window that came in by the printed link. */
export async function signIn({ browser, gateway }: Subject, look: Look = DESKTOP): Promise<Visit> {
  const visitor = await visit(browser(), look);
  await visitor.page.goto(gateway().link);
  await visitor.page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
  return visitor;
}
