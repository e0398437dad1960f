// Tests how people add services, review what changed in them, and delete them.
import { describePortal } from './describe-portal.ts';
import { itShowsImports } from './sections/imports.ts';
import { itImports } from './sections/real-imports.ts';

describePortal('Imports in the portal', (subject) => {
  itImports(subject);
  itShowsImports(subject);
});
