// Renders the button and the dialog that add tools of an integration to a set, or to a new one.
import { useState } from 'preact/hooks';
import { changeSet, fetchSets, makeSet } from '../../api/sets.ts';
import type { Tool } from '../../api/tools.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useResource } from '../../state/use-resource.ts';
import { setsTexts } from '../../texts/sets.ts';
import { CheckList } from '../limits/check-list.tsx';
import { SET_NAME } from './address.ts';

const words = setsTexts.addTo;

interface Props {
  /** The name of the integration as people know it. */
  integration: string;
  tools: readonly Tool[];
}

export function AddToSet({ integration, tools }: Props) {
  const [open, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {words.button}
      </button>
      <OutcomeLine outcome={outcome} />
      {open && (
        <Dialog title={words.title(integration)} onClose={() => setOpen(false)}>
          {(close) => (
            <Choice
              tools={tools}
              close={close}
              onDone={(count, set) => setOutcome({ words: words.done(count, set), takesFocus: true })}
            />
          )}
        </Dialog>
      )}
    </>
  );
}

interface ChoiceProps {
  tools: readonly Tool[];
  close: () => void;
  onDone: (count: number, set: string) => void;
}

function Choice({ tools, close, onDone }: ChoiceProps) {
  const sets = useResource('sets', fetchSets);
  const own = sets.data?.filter((set) => set.for === 'me') ?? [];
  const [chosen, setChosen] = useState<string[]>([]);
  const [into, setInto] = useState('');
  const [name, setName] = useState('');
  const [problems, setProblems] = useState({ name: '', tools: '' });
  const { busy, problem, run } = useWork();
  const set = own.find((each) => each.name === into);

  function submit(): void {
    const found = {
      name: set === undefined && !SET_NAME.test(name) ? setsTexts.form.nameWrong : '',
      tools: chosen.length === 0 ? words.noneChosen : '',
    };
    setProblems(found);
    if (found.name !== '' || found.tools !== '') return;
    void run(async () => {
      const done =
        set === undefined
          ? await makeSet({ name, tools: chosen })
          : await changeSet(set, { tools: [...new Set([...set.tools, ...chosen])] });
      sets.reload();
      onDone(chosen.length, done.title);
      close();
    });
  }

  return (
    <Form
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={words.submit}
      onSubmit={submit}
      onCancel={close}
    >
      {own.length > 0 && (
        <div class="connect-field">
          <label for="into-set">{words.set}</label>
          <select id="into-set" value={into} onChange={({ currentTarget }) => setInto(currentTarget.value)}>
            <option value="">{words.newSet}</option>
            {own.map((each) => (
              <option key={each.name} value={each.name}>
                {each.title}
              </option>
            ))}
          </select>
        </div>
      )}
      {set === undefined && (
        <ConnectFieldRow
          field={{
            key: 'name',
            kind: 'text',
            label: setsTexts.form.name,
            required: true,
            placeholder: setsTexts.form.namePlaceholder,
            help: setsTexts.form.nameHelp,
          }}
          value={name}
          problem={problems.name}
          onChange={(value) => setName(value.toLowerCase().replaceAll(' ', '-'))}
        />
      )}
      <div class="check-list-field">
        <CheckList
          field="tools"
          words={words.list}
          rows={tools.map((tool) => ({
            name: tool.name,
            label: tool.name,
            about: '',
            keywords: tool.description,
          }))}
          chosen={chosen}
          describedBy="set-tools-problem"
          onChange={setChosen}
        />
        <p id="set-tools-problem" class="connect-problem">
          {problems.tools}
        </p>
      </div>
    </Form>
  );
}
