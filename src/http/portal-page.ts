// Writes the addresses of pages of the portal, which agents and other pages show to people.
import type { Config } from '../config/config.ts';

/** `path` begins with a slash. */
export const portalPage = ({ PORTAL_URL }: Pick<Config, 'PORTAL_URL'>, path: string): string =>
  `${PORTAL_URL.replace(/\/$/, '')}${path}`;
