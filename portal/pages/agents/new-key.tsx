// Renders the form that makes a key for one agent.
import { useState } from 'preact/hooks';
import { type MadeKey, makeNamedKey } from '../../api/agent-keys.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { useKept } from '../../state/use-kept.ts';
import { keysTexts } from '../../texts/keys.ts';
import { type LimitsDraft, NEW_KEY } from './limits-draft.ts';
import { LimitsForm } from './limits-form.tsx';

const words = keysTexts.form;
const EMPTY: LimitsDraft & { name: string } = { ...NEW_KEY, name: '' };

interface Props {
  onMade: (made: MadeKey) => void;
  onCancel: () => void;
}

export function NewKey({ onMade, onCancel }: Props) {
  const [draft, setDraft] = useKept('new key', EMPTY);
  const [nameProblem, setNameProblem] = useState('');
  const name = draft.name.trim();

  function check(): Record<string, string> {
    const found = name === '' ? words.nameMissing : '';
    setNameProblem(found);
    return found === '' ? {} : { name: found };
  }

  return (
    <section class="panel" aria-labelledby="new-key">
      <h2 id="new-key">{words.title}</h2>
      <LimitsForm
        draft={draft}
        submitLabel={words.submit}
        onChange={(limits) => setDraft({ ...draft, ...limits })}
        check={check}
        onSubmit={async (limits) => {
          const made = await makeNamedKey({ name, ...limits });
          setDraft(EMPTY);
          onMade(made);
        }}
        onCancel={() => {
          setDraft(EMPTY);
          onCancel();
        }}
      >
        <ConnectFieldRow
          field={{
            key: 'name',
            kind: 'text',
            label: words.name,
            required: true,
            placeholder: words.namePlaceholder,
            help: words.nameHelp,
          }}
          value={draft.name}
          problem={nameProblem}
          onChange={(value) => {
            setNameProblem('');
            setDraft({ ...draft, name: value });
          }}
        />
      </LimitsForm>
    </section>
  );
}
