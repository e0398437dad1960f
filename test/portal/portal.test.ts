// Tests the portal in a real browser with a real gateway. Screenshots of every page go to screenshots/.
import { describePortal } from './describe-portal.ts';
import { itLivesThroughBadDays } from './sections/bad-days.ts';
import { itAsksAtOnce } from './sections/first-requests.ts';
import { itShowsManyIntegrations } from './sections/gallery.ts';
import { itCostsLittleWhenIdle } from './sections/idle.ts';
import { itNeedsNoMouse } from './sections/keyboard.ts';
import { itShowsLongLists } from './sections/long-lists.ts';
import { itHasSoundPages } from './sections/pages.ts';
import { itKeepsSecrets } from './sections/secrets.ts';
import { itSignsPeopleIn } from './sections/signing-in.ts';

describePortal('Portal', (subject) => {
  itSignsPeopleIn(subject);
  itHasSoundPages(subject);
  itShowsManyIntegrations(subject);
  itShowsLongLists(subject);
  itLivesThroughBadDays(subject);
  itCostsLittleWhenIdle(subject);
  itNeedsNoMouse(subject);
  itKeepsSecrets(subject);
  itAsksAtOnce(subject);
});
