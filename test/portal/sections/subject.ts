// Gives each section its gateway and browser, which exist once the tests run.
import type { Browser } from 'playwright-core';
import type { Banner, Gateway, Site } from '../../support/gateway-process.ts';
import { type Look, type Visit, visit } from '../visit.ts';

export interface Subject {
  browser: () => Browser;
  gateway: () => Gateway & Banner;
  /** Starts the stopped gateway again, at the same address. */
  restart: () => Promise<void>;
  /** Creates another person. */
  seed: Site['seed'];
}

export const DESKTOP: Look = { theme: 'light', width: 1280 };

/** The printed link, which leads to the integrations also when something is connected. */
export const galleryLink = ({ gateway }: Pick<Subject, 'gateway'>): string =>
  gateway().portalLink.replace('/#', '/integrations#');

/** Opens a window on the integrations that signed in with the printed link. */
export async function signIn(
  { browser, gateway }: Pick<Subject, 'browser' | 'gateway'>,
  look: Look = DESKTOP,
): Promise<Visit> {
  const visitor = await visit(browser(), look);
  await visitor.page.goto(galleryLink({ gateway }));
  await visitor.page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
  return visitor;
}
