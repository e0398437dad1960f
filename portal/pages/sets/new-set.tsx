// Renders the form that makes a set: empty, or with the tools that an agent used last week.
import { useState } from 'preact/hooks';
import { makeSet, type ShownSet } from '../../api/sets.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Form } from '../../parts/form.tsx';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { useKept } from '../../state/use-kept.ts';
import { setsTexts } from '../../texts/sets.ts';
import { SET_NAME } from './address.ts';
import { useUsedTools } from './used-tools.ts';

const words = setsTexts.form;
const EMPTY = { name: '', description: '', from: '', whose: 'me' };

interface Props {
  onMade: (set: ShownSet) => void;
  onCancel: () => void;
}

export function NewSet({ onMade, onCancel }: Props) {
  const [draft, setDraft] = useKept('new set', EMPTY);
  const [nameProblem, setNameProblem] = useState('');
  const { busy, problem, setProblem, run } = useWork();
  const used = useUsedTools();
  const isAdministrator = useIsAdministrator();
  const name = draft.name.trim();
  const begun = used.find(({ actor }) => actor === draft.from);

  function submit(): void {
    if (!SET_NAME.test(name)) return setNameProblem(words.nameWrong);
    void run(async () => {
      const made = await makeSet({
        name,
        description: draft.description.trim(),
        tools: begun?.tools ?? [],
        for: draft.whose === 'everyone' ? 'everyone' : 'me',
      });
      setDraft(EMPTY);
      onMade(made);
    });
  }

  return (
    <section class="panel" aria-labelledby="new-set">
      <h2 id="new-set">{words.title}</h2>
      <Form
        class="connect-form set-form"
        busy={busy}
        problem={problem}
        submitLabel={words.submit}
        onSubmit={submit}
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
            setProblem();
            setDraft({ ...draft, name: value.toLowerCase().replaceAll(' ', '-') });
          }}
        />
        <ConnectFieldRow
          field={{
            key: 'description',
            kind: 'text',
            label: words.description,
            required: false,
            placeholder: words.descriptionPlaceholder,
            help: words.descriptionHelp,
          }}
          value={draft.description}
          problem=""
          onChange={(value) => setDraft({ ...draft, description: value })}
        />
        {used.length > 0 && (
          <RadioChoices
            legend={words.begin}
            chosen={begun === undefined ? '' : draft.from}
            choices={[
              { value: '', ...words.nothing },
              ...used.map(({ actor, name: agent, tools }) => ({
                value: actor,
                name: words.lastWeek(agent),
                about: words.lastWeekAbout(tools),
              })),
            ]}
            onChoose={(from) => setDraft({ ...draft, from })}
          />
        )}
        {isAdministrator && (
          <RadioChoices
            legend={words.whose}
            chosen={draft.whose}
            choices={[
              { value: 'me', ...words.me },
              { value: 'everyone', ...words.everyone },
            ]}
            onChoose={(whose) => setDraft({ ...draft, whose })}
          />
        )}
      </Form>
    </section>
  );
}
