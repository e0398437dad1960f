// Tests how administrators look after people and see what everybody does.
import { describePortal } from './describe-portal.ts';
import { itShowsSettings } from './sections/settings.ts';
import { itShowsEverybodysActivity } from './sections/everybody.ts';
import { itShowsTheGateway } from './sections/gateway-page.ts';
import { itShowsTheOverview } from './sections/overview.ts';
import { itLooksAfterPeople } from './sections/people.ts';
import { itConnectsForTheTeam } from './sections/team.ts';

describePortal('People in the portal', (subject) => {
  itLooksAfterPeople(subject);
  itShowsEverybodysActivity(subject);
  itShowsTheGateway(subject);
  itConnectsForTheTeam(subject);
  itShowsTheOverview(subject);
  itShowsSettings(subject);
});
