// Tests how people find and run anything from one field.
import { describePortal } from './describe-portal.ts';
import { itGoesAnywhere } from './sections/palette.ts';

describePortal('Quick access', (subject) => itGoesAnywhere(subject));
