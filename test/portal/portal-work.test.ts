// Tests what people do in the portal: keys, tools, connections and jots.
import { describePortal } from './describe-portal.ts';
import { itShowsActivity } from './sections/activity.ts';
import { itKeepsApiKeys } from './sections/api-keys.ts';
import { itOpensCalls } from './sections/call.ts';
import { itConnects } from './sections/connecting.ts';
import { itRunsTools } from './sections/explorer.ts';
import { itMovesFiles } from './sections/explorer-files.ts';
import { itManagesJots } from './sections/jots-page.ts';

describePortal('Portal at work', (subject) => {
  itKeepsApiKeys(subject);
  itRunsTools(subject);
  itShowsActivity(subject);
  itMovesFiles(subject);
  itOpensCalls(subject);
  itConnects(subject);
  itManagesJots(subject);
});
