// What each section is about: one gateway and one browser, there once the tests run.
import type { Browser } from 'playwright-core';
import type { Banner, Gateway, Site } from '../../support/gateway-process.ts';
import { type Look, type Visit, visit } from '../visit.ts';

export interface Subject {
  browser: () => Browser;
  gateway: () => Gateway & Banner;
  /** Makes another person. */
  seed: Site['seed'];
}

export const DESKTOP: Look = { theme: 'light', width: 1280 };

/** A window that came in by the printed link. */
export async function signIn(
  { browser, gateway }: Pick<Subject, 'browser' | 'gateway'>,
  look: Look = DESKTOP,
): Promise<Visit> {
  const visitor = await visit(browser(), look);
  await visitor.page.goto(gateway().portalLink);
  await visitor.page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
  return visitor;
}
