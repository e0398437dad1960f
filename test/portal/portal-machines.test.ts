// Tests how administrators let machines call: trusted issuers and clients.
import { describePortal } from './describe-portal.ts';
import { itShowsMachines } from './sections/machines.ts';

describePortal('Machines in the portal', (subject) => {
  itShowsMachines(subject);
});
