// Renders the form that sets who can see a jot. An error appears beside the field it is about.
import { useState } from 'preact/hooks';
import { ApiError } from '../../../api/client.ts';
import type { Jot, JotChange } from '../../../api/jots.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { explain, ErrorNotice } from '../../../parts/error-notice.tsx';
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
  const [problem, setProblem] = useState({ password: '', rest: '' });
  const [busy, setBusy] = useState(false);
  const locked = draft.access === 'password';
  const wasLocked = jot.access === 'password';

  function edit(change: Partial<Draft>): void {
    setDraft({ ...draft, ...change });
    setProblem({ password: '', rest: '' });
  }

  async function save(): Promise<void> {
    if (busy) return;
    const change = changeOf(jot, draft);
    if (Object.keys(change).length === 0) return close();
    setBusy(true);
    setProblem({ password: '', rest: '' });
    try {
      await onSave(change);
      close();
    } catch (error) {
      const message = explain(error);
      if (!isOpen()) return onLateProblem(message);
      const isRefusal = error instanceof ApiError && error.status === 400 && locked;
      setProblem(isRefusal ? { password: message, rest: '' } : { password: '', rest: message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      class="connect-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <AccessFields
        access={draft.access}
        password={draft.password}
        wasLocked={wasLocked}
        problem={problem.password}
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
      {problem.rest !== '' && <ErrorNotice message={problem.rest} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {words.save}
        </button>
      </div>
    </form>
  );
}
