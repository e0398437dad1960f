// Lets the person choose what holds in general: a preset, or a decision for each kind of tool.
import { useId, useState } from 'preact/hooks';
import { countOpenApprovals, type Decision, type Rule } from '../../api/policy.ts';
import type { Access } from '../../api/tools.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { useKept } from '../../state/use-kept.ts';
import { changeRules, type Owner } from '../../state/use-policy.ts';
import { useResource } from '../../state/use-resource.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { DecisionMark } from './decision-button.tsx';
import { describeLevels } from './describe-levels.ts';
import {
  areSameLevels,
  DECISIONS,
  type Levels,
  LEVELS,
  levelsOf,
  PRESET_NAMES,
  presetOf,
  PRESETS,
  stricter,
  withLevels,
} from './rule-list.ts';

const words = rulesTexts;

interface Props {
  owner: Owner;
  rules: readonly Rule[];
  /** The rules for everyone, which the person's own rules cannot loosen. Empty when these are shown. */
  everyone: readonly Rule[];
}

export function GeneralRules({ owner, rules, everyone }: Props) {
  const stored = levelsOf(rules);
  const [draft, setDraft] = useKept<Levels | null>(`general rules of ${owner}`, null);
  const [outcome, setOutcome] = useState<Outcome>();
  const levels = draft ?? stored;
  const isChanged = !areSameLevels(levels, stored);

  function edit(next: Levels): void {
    setOutcome(undefined);
    setDraft(next);
  }

  async function save(): Promise<void> {
    const { ended } = await changeRules(owner, (all) => withLevels(all, levels));
    setDraft(null);
    const more = owner === 'me' ? words.ended(ended) : words.endedForEveryone;
    setOutcome({ words: `${words.saved} ${more}`.trim(), takesFocus: true });
  }

  return (
    <section class="panel general-rules" aria-labelledby="general">
      <h2 id="general">{words.presetsTitle}</h2>
      <PresetChoices owner={owner} levels={levels} stored={stored} onChoose={edit} />
      <LevelChoices levels={levels} least={levelsOf(everyone)} onChoose={edit} />
      {isChanged && (
        <div class="rules-save">
          {owner === 'me' && <WaitingCalls />}
          <div class="row">
            <ActionButton primary label={words.save} onAct={save} />
            <button type="button" class="button" onClick={() => edit(stored)}>
              {words.discard}
            </button>
          </div>
        </div>
      )}
      <OutcomeLine outcome={outcome} />
    </section>
  );
}

/** Says before the change that it ends the calls that wait. */
function WaitingCalls() {
  const { data: count = 0 } = useResource('open approvals', countOpenApprovals);
  return count === 0 ? null : (
    <p>
      <Lamp colour="amber">{words.waiting(count)}</Lamp>
    </p>
  );
}

interface ChoicesProps {
  levels: Levels;
  onChoose: (levels: Levels) => void;
}

function PresetChoices({ owner, levels, stored, onChoose }: ChoicesProps & { owner: Owner; stored: Levels }) {
  const preset = presetOf(levels);
  // What fits no preset stays a choice while the person looks at the others.
  const own = preset === null ? levels : presetOf(stored) === null ? stored : null;
  const choices = [
    ...PRESET_NAMES.map((name) => ({ key: name, ...words.presets[name], levels: PRESETS[name] })),
    ...(own === null
      ? []
      : [
          {
            key: 'own',
            name: owner === 'me' ? words.own.name : words.own.nameForEveryone,
            about: words.own.about(describeLevels(own)),
            levels: own,
          },
        ]),
  ];
  return (
    <fieldset class="choices preset-choices">
      <legend class="visually-hidden">{words.presetsTitle}</legend>
      {choices.map((choice) => (
        <label key={choice.key} class="choice">
          <input
            type="radio"
            name={`preset for ${owner}`}
            checked={areSameLevels(choice.levels, levels)}
            onChange={() => onChoose(choice.levels)}
          />
          <span class="choice-name">{choice.name}</span>
          <span class="choice-about">{choice.about}</span>
        </label>
      ))}
    </fieldset>
  );
}

function LevelChoices({ levels, least, onChoose }: ChoicesProps & { least: Levels }) {
  return (
    <div class="level-choices">
      <h3>{words.levelsTitle}</h3>
      {LEVELS.map((access) => (
        <LevelChoice
          key={access}
          access={access}
          decision={levels[access]}
          least={least[access]}
          onChoose={(decision) => onChoose({ ...levels, [access]: decision })}
        />
      ))}
    </div>
  );
}

interface LevelProps {
  access: Access;
  decision: Decision;
  least: Decision;
  onChoose: (decision: Decision) => void;
}

function LevelChoice({ access, decision, least, onChoose }: LevelProps) {
  const name = useId();
  return (
    <fieldset class="level-choice">
      <legend>{words.levels[access]}</legend>
      <div class="segments">
        {DECISIONS.map((each) => (
          <label key={each}>
            <input type="radio" name={name} checked={each === decision} onChange={() => onChoose(each)} />
            <span>{words.decisions[each]}</span>
          </label>
        ))}
      </div>
      {stricter(decision, least) !== decision && (
        <p class="level-least">
          <DecisionMark decision={least} />
          {words.levelForEveryone[least]}
        </p>
      )}
    </fieldset>
  );
}
