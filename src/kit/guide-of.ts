// Finds the guide of an integration.
import type { Guides } from '../ports/guides.ts';
import type { Integration } from './integration.ts';

/** What somebody has imported has no guide, whatever it is called: its text would speak in the gateway's name. */
export const guideOf = (
  guides: Guides,
  { imported, name }: Pick<Integration, 'imported' | 'name'>,
): string | undefined => (imported === undefined ? guides.get(name) : undefined);
