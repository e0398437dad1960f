// Parameters for shared drives: lists and look-ups must ask for their files explicitly.
import { flag } from '../google/oauth.ts';

export const supportsAllDrives = flag
  .transform((supports) => supports ?? true)
  .describe('Finds what is on shared drives too, unless false');
