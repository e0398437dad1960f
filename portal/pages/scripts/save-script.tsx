// Renders the form that saves the code of a run as a tool.
import { useState } from 'preact/hooks';
import { saveScript, type ShownScript } from '../../api/scripts.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { scriptsTexts } from '../../texts/scripts.ts';

const words = scriptsTexts.form;
const SCRIPT_NAME = /^[a-z][a-z0-9_]{0,47}$/;

interface Props {
  code: string;
  onSaved: (script: ShownScript) => void;
  onCancel: () => void;
}

export function SaveScript({ code, onSaved, onCancel }: Props) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [nameProblem, setNameProblem] = useState('');
  const { busy, problem, run } = useWork();

  function submit(): void {
    if (!SCRIPT_NAME.test(name)) return setNameProblem(words.nameWrong);
    void run(async () => onSaved(await saveScript({ name, description: description.trim(), code })));
  }

  return (
    <section class="panel" aria-labelledby="save-script">
      <h2 id="save-script">{words.title}</h2>
      <Form
        class="connect-form"
        busy={busy}
        problem={problem}
        submitLabel={words.submit}
        onSubmit={submit}
        onCancel={onCancel}
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
          value={name}
          problem={nameProblem}
          onChange={(value) => {
            setNameProblem('');
            setName(value.toLowerCase().replaceAll(/[ -]/g, '_'));
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
          value={description}
          problem=""
          onChange={setDescription}
        />
      </Form>
    </section>
  );
}
