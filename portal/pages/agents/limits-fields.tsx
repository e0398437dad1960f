// Renders the fields of a form that limits a key or an application.
import { useId } from 'preact/hooks';
import type { Limits } from '../../api/agents.ts';
import type { Access } from '../../api/tools.ts';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { formatDay } from './describe-limits.ts';
import { IntegrationPicker } from '../limits/integration-picker.tsx';
import { type End, ENDS, type LimitsDraft, type Problems } from './limits-draft.ts';
import { type ToolChoice, toolChoiceOf } from './only-tools.ts';
import { SetField } from './set-field.tsx';
import { ToolPicker } from './tool-picker.tsx';

const words = keysTexts.form;
const ACCESSES = ['read', 'write', 'destroy'] as const satisfies readonly Access[];

interface Props {
  draft: LimitsDraft;
  stored?: Limits;
  problems: Problems;
  onChange: (change: Partial<LimitsDraft>) => void;
}

type FieldsProps = Omit<Props, 'problems'> & { problem: string };

export function LimitsFields({ draft, stored = {}, problems, onChange }: Props) {
  const name = useId();
  return (
    <>
      <fieldset class="limits-part">
        <legend>{words.access}</legend>
        <div class="choices limits-choices">
          {ACCESSES.map((access) => (
            <label key={access} class="choice">
              <input
                type="radio"
                name={`${name} access`}
                checked={draft.access === access}
                onChange={() => onChange({ access })}
              />
              <span class="choice-name">{words.accesses[access].name}</span>
              <span class="choice-about">{words.accesses[access].about}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset class="limits-part">
        <legend>{words.integrations}</legend>
        <div class="choices limits-choices">
          {[true, false].map((isAll) => (
            <label key={String(isAll)} class="choice">
              <input
                type="radio"
                name={`${name} integrations`}
                checked={draft.isAll === isAll}
                onChange={() => onChange({ isAll })}
              />
              <span class="choice-name">{isAll ? words.all : words.some}</span>
              <span class="choice-about">{isAll ? words.allAbout : words.someAbout}</span>
            </label>
          ))}
        </div>
        {!draft.isAll && (
          <IntegrationPicker
            chosen={draft.integrations}
            problem={problems.integrations ?? ''}
            onChange={(integrations) => onChange({ integrations })}
          />
        )}
      </fieldset>
      <div class="limits-line">
        <EndFields draft={draft} stored={stored} problem={problems.date ?? ''} onChange={onChange} />
        <div class="connect-field">
          <label for={`${name} rate`}>{words.rate}</label>
          <input
            id={`${name} rate`}
            name="rate"
            inputMode="numeric"
            autoComplete="off"
            value={draft.rate}
            aria-invalid={problems.rate !== undefined}
            aria-describedby={`${name} rate-help ${name} rate-problem`}
            onInput={({ currentTarget }) => onChange({ rate: currentTarget.value })}
          />
          <p id={`${name} rate-help`} class="connect-help">
            {words.rateHelp}
          </p>
          <p id={`${name} rate-problem`} class="connect-problem">
            {problems.rate}
          </p>
        </div>
      </div>
      <SetField chosen={draft.set} onChoose={(set) => onChange({ set })} />
      <ToolFields draft={draft} stored={stored} problem={problems.tools ?? ''} onChange={onChange} />
    </>
  );
}

function ToolFields({ draft, stored = {}, problem, onChange }: FieldsProps) {
  const { rules = [] } = stored;
  const choices: ToolChoice[] = toolChoiceOf(rules) === 'kept' ? ['kept', 'all', 'some'] : ['all', 'some'];
  return (
    <div class="limits-part">
      <RadioChoices
        legend={words.tools}
        choices={choices.map((value) => ({
          value,
          name: words.toolChoices[value].name,
          about: value === 'kept' ? words.keptRules(rules.length) : words.toolChoices[value].about,
        }))}
        chosen={draft.toolChoice}
        onChoose={(toolChoice) => onChange({ toolChoice })}
      />
      {draft.toolChoice === 'some' && (
        <ToolPicker draft={draft} problem={problem} onChange={(tools) => onChange({ tools })} />
      )}
    </div>
  );
}

function EndFields({ draft, stored, problem, onChange }: FieldsProps) {
  const id = useId();
  const choices: readonly End[] = stored?.expiresAt === undefined ? ENDS : ['kept', ...ENDS];
  return (
    <div class="limits-end">
      <div class="connect-field">
        <label for={id}>{words.end}</label>
        <select
          id={id}
          value={draft.end}
          onChange={({ currentTarget }) =>
            onChange({ end: choices.find((each) => each === currentTarget.value) ?? 'never' })
          }
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {each === 'kept' ? words.kept(formatDay(stored?.expiresAt ?? 0)) : words.ends[each]}
            </option>
          ))}
        </select>
      </div>
      {draft.end === 'date' && (
        <div class="connect-field">
          <label for={`${id} date`}>{words.date}</label>
          <input
            id={`${id} date`}
            type="date"
            name="date"
            value={draft.date}
            aria-required
            aria-invalid={problem !== ''}
            aria-describedby={`${id} date-problem`}
            onInput={({ currentTarget }) => onChange({ date: currentTarget.value })}
          />
          <p id={`${id} date-problem`} class="connect-problem">
            {problem}
          </p>
        </div>
      )}
    </div>
  );
}
