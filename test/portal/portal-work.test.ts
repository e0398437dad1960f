// Tests what people do in the portal: keys, tools, connections and jots.
import { describePortal } from './describe-portal.ts';
import { itKeepsApiKeys } from './sections/api-keys.ts';
import { itConnects } from './sections/connecting.ts';
import { itRunsTools } from './sections/explorer.ts';
import { itMovesFiles } from './sections/explorer-files.ts';
import { itManagesJots } from './sections/jots-page.ts';

describePortal('Portal at work', (subject) => {
  itKeepsApiKeys(subject);
  itRunsTools(subject);
  itMovesFiles(subject);
  itConnects(subject);
  itManagesJots(subject);
});
