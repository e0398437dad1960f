// Renders the form that adds a rule for an integration, a kind of its tools, or one tool.
import type { Integration } from '../../api/integrations.ts';
import type { Decision } from '../../api/policy.ts';
import type { Tool } from '../../api/tools.ts';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useKept } from '../../state/use-kept.ts';
import type { Owner } from '../../state/use-policy.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { type ShownException, showExceptions } from './exception-list.ts';
import { DECISIONS, LEVELS, type Target } from './rule-list.ts';

const words = rulesTexts.exceptions;
const EMPTY = { integration: '', what: '', decision: 'ask' as Decision };

interface Props {
  owner: Owner;
  integrations: readonly Integration[];
  tools: readonly Tool[];
  onAdd: (exception: ShownException, decision: Decision) => Promise<void>;
}

export function AddException({ owner, integrations, tools, onAdd }: Props) {
  const [draft, setDraft] = useKept(`exception of ${owner}`, EMPTY);
  const { busy, problem, setProblem, run } = useWork();
  const own = tools.filter(({ integration }) => integration === draft.integration);

  function add(): void {
    if (draft.integration === '') return setProblem({ message: words.missingIntegration });
    const rule = { ...targetOf(draft), decision: draft.decision };
    const [exception] = showExceptions([rule], integrations, tools);
    if (exception === undefined) return;
    void run(async () => {
      await onAdd(exception, draft.decision);
      setDraft(EMPTY);
    });
  }

  return (
    <Form
      class="exception-form"
      label={words.add}
      busy={busy}
      problem={problem}
      submitLabel={words.doAdd}
      submitClass="button"
      isInline
      onSubmit={add}
    >
      <label class="field">
        {words.integration}
        <select
          value={draft.integration}
          aria-invalid={problem !== undefined && draft.integration === ''}
          onChange={({ currentTarget }) => {
            setProblem();
            setDraft({ ...draft, integration: currentTarget.value, what: '' });
          }}
        >
          <option value="">{words.chooseIntegration}</option>
          {byName(integrations).map(({ name, displayName }) => (
            <option key={name} value={name}>
              {displayName}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.what}
        <select
          value={draft.what}
          onChange={({ currentTarget }) => setDraft({ ...draft, what: currentTarget.value })}
        >
          <option value="">{words.all}</option>
          {LEVELS.map((access) => (
            <option key={access} value={access}>
              {words.kinds[access]}
            </option>
          ))}
          {own.map(({ name }) => (
            <option key={name} value={`${TOOL}${name}`}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field exception-decision">
        {words.decision}
        <select
          value={draft.decision}
          onChange={({ currentTarget }) =>
            setDraft({ ...draft, decision: DECISIONS.find((each) => each === currentTarget.value) ?? 'ask' })
          }
        >
          {DECISIONS.map((decision) => (
            <option key={decision} value={decision}>
              {words.decisions[decision]}
            </option>
          ))}
        </select>
      </label>
    </Form>
  );
}

/** Tells the name of a tool from the name of a kind. */
const TOOL = 'tool ';

function targetOf({ integration, what }: typeof EMPTY): Target {
  const access = LEVELS.find((each) => each === what);
  if (access !== undefined) return { integration, access };
  return what.startsWith(TOOL) ? { integration, tool: what.slice(TOOL.length) } : { integration };
}

function byName(integrations: readonly Integration[]): Integration[] {
  return integrations.toSorted((one, other) => one.displayName.localeCompare(other.displayName));
}
