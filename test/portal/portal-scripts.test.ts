// Tests how people look at scripts and their runs.
import { describePortal } from './describe-portal.ts';
import { itShowsScripts } from './sections/scripts.ts';

describePortal('Scripts in the portal', itShowsScripts);
