// Says in words what the general rules decide.
import { rulesTexts } from '../../texts/rules.ts';
import { areSameLevels, type Levels, LEVELS, PRESETS } from './rule-list.ts';

const list = new Intl.ListFormat('en');

export function describeLevels(levels: Levels): string {
  if (areSameLevels(levels, PRESETS.everything)) return rulesTexts.freely;
  return describeDecisions(LEVELS.map((access) => rulesTexts.levelDecisions[access][levels[access]]));
}

export function describeDecisions(decisions: readonly string[]): string {
  return rulesTexts.agents(list.format(decisions));
}
