// Renders the form that sets who can see a jot. An error appears beside the field it is about.
import { useState } from 'preact/hooks';
import { ApiError } from '../../../api/client.ts';
import type { Jot, JotChange } from '../../../api/jots.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { explain } from '../../../parts/error-notice.tsx';
import { Form } from '../../../parts/form.tsx';
import { useWork } from '../../../parts/use-work.ts';
import { useWanted } from '../../../state/use-wanted.ts';
import { texts } from '../../../texts/texts.ts';
import { AccessFields } from './access-fields.tsx';
import { changeOf, type Draft } from './change.ts';

const words = texts.jots;

interface Props {
  jot: Jot;
  onSave: (change: JotChange) => Promise<void>;
  /** Reports an error that arrives after the form was closed. */
  onLateProblem: (problem: string) => void;
  onClose: () => void;
}

export function JotSettings({ jot, onSave, onLateProblem, onClose }: Props) {
  return (
    <Dialog title={words.settingsTitle(jot.name)} onClose={onClose}>
      {(close) => <SettingsForm {...{ jot, onSave, onLateProblem, close }} />}
    </Dialog>
  );
}

function SettingsForm({ jot, onSave, onLateProblem, close }: Omit<Props, 'onClose'> & { close: () => void }) {
  const isOpen = useWanted();
  const [draft, setDraft] = useState<Draft>({ access: jot.access, password: '', cors: jot.cors });
  const [passwordProblem, setPasswordProblem] = useState('');
  const { busy, problem, setProblem, run } = useWork();
  const locked = draft.access === 'password';
  const wasLocked = jot.access === 'password';

  function edit(change: Partial<Draft>): void {
    setDraft({ ...draft, ...change });
    setPasswordProblem('');
    setProblem();
  }

  function save(): void {
    const change = changeOf(jot, draft);
    if (Object.keys(change).length === 0) return close();
    setPasswordProblem('');
    void run(() => send(change));
  }

  async function send(change: JotChange): Promise<void> {
    try {
      await onSave(change);
      close();
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status === 400 && locked;
      if (!isOpen()) onLateProblem(explain(error));
      else if (isRefusal) setPasswordProblem(explain(error));
      else throw error;
    }
  }

  return (
    <Form
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={words.save}
      onSubmit={save}
      onCancel={close}
    >
      <AccessFields
        access={draft.access}
        password={draft.password}
        wasLocked={wasLocked}
        problem={passwordProblem}
        onChange={edit}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.cors && !locked}
          disabled={locked}
          onChange={(event) => edit({ cors: event.currentTarget.checked })}
        />
        <span class="choice-name">{words.corsLabel}</span>
        <span class="choice-about">{locked ? words.corsLocked : words.corsHelp}</span>
      </label>
    </Form>
  );
}
