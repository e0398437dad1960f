// Lists have what is on shared drives; where that is to be found again, it has to be asked for.
import { flag } from '../google/oauth.ts';

export const supportsAllDrives = flag
  .transform((supports) => supports ?? true)
  .describe('Finds what is on shared drives too, unless false');
