// Renders the form that adds a rule for an integration, a kind of its tools, or one tool.
import type { Integration } from '../../api/integrations.ts';
import type { Decision } from '../../api/policy.ts';
import type { Tool } from '../../api/tools.ts';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useKept } from '../../state/use-kept.ts';
import type { Owner } from '../../state/use-policy.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { DecisionField } from './decision-field.tsx';
import { type ShownException, showExceptions } from './exception-list.ts';
import { EMPTY_TARGET, targetOf, TargetFields } from './target-fields.tsx';

const words = rulesTexts.exceptions;
const EMPTY = { ...EMPTY_TARGET, decision: 'ask' as Decision };

interface Props {
  owner: Owner;
  integrations: readonly Integration[];
  tools: readonly Tool[];
  onAdd: (exception: ShownException, decision: Decision) => Promise<void>;
}

export function AddException({ owner, integrations, tools, onAdd }: Props) {
  const [draft, setDraft] = useKept(`exception of ${owner}`, EMPTY);
  const { busy, problem, setProblem, run } = useWork();

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
      <TargetFields
        target={draft}
        integrations={integrations}
        tools={tools}
        anywhere={words.chooseIntegration}
        isInvalid={problem !== undefined && draft.integration === ''}
        onChange={(target) => {
          setProblem();
          setDraft({ ...draft, ...target });
        }}
      />
      <DecisionField value={draft.decision} onChange={(decision) => setDraft({ ...draft, decision })} />
    </Form>
  );
}
