// Tests how people say what agents may do, and give an agent a key of its own.
import { describePortal } from './describe-portal.ts';
import { itMakesKeys } from './sections/named-keys.ts';
import { itSetsRules } from './sections/rules.ts';
import { itDecidesAboutTools } from './sections/switches.ts';

describePortal('Rules in the portal', (subject) => {
  itSetsRules(subject);
  itDecidesAboutTools(subject);
  itMakesKeys(subject);
});
