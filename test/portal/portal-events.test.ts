// Tests how people subscribe to events, see them come, and send them on.
import { describePortal } from './describe-portal.ts';
import { itShowsEvents } from './sections/events.ts';

describePortal('Events in the portal', itShowsEvents);
