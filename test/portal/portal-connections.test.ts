// Tests what the portal says about connections, and how people set up, test and end them.
import { describePortal } from './describe-portal.ts';
import { itManagesAccounts } from './sections/accounts.ts';
import { itAddsAccounts } from './sections/adding-accounts.ts';
import { itTellsHowConnectionsDo } from './sections/connections.ts';

describePortal('Connections in the portal', (subject) => {
  itTellsHowConnectionsDo(subject);
  itManagesAccounts(subject);
  itAddsAccounts(subject);
});
