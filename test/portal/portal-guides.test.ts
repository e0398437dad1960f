// Tests the guides that agents read, as the portal shows them.
import { describePortal } from './describe-portal.ts';
import { itShowsGuides } from './sections/guide.ts';

describePortal('Guides in the portal', itShowsGuides);
