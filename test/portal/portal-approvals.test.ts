// Tests how people decide about the calls of agents: in the inbox, by an agent's link, and in the explorer.
import { describePortal } from './describe-portal.ts';
import { itAsksInTheExplorer } from './sections/approvals-explorer.ts';
import { itHoldsApprovalsBack } from './sections/approvals-guard.ts';
import { itDecides } from './sections/approvals.ts';
import { itShowsApprovals } from './sections/approvals-pages.ts';
import { itTellsOfApprovals } from './sections/approvals-notices.ts';

describePortal('Approvals in the portal', (subject) => {
  itDecides(subject);
  itHoldsApprovalsBack(subject);
  itTellsOfApprovals(subject);
  itShowsApprovals(subject);
  itAsksInTheExplorer(subject);
});
