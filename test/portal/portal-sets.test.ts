// Tests how people choose tools for a set.
import { describePortal } from './describe-portal.ts';
import { itShowsSets } from './sections/sets.ts';

describePortal('Sets in the portal', itShowsSets);
