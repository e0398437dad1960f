// Renders the form that sets who can see a jot. An error appears beside the field it is about.
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import type { Jot, JotChange } from '../../api/types.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { useWanted } from '../../state/use-wanted.ts';
import { texts } from '../../texts/texts.ts';
import { changeOf, type Draft } from './change.ts';

const words = texts.jots;
const ACCESS = ['public', 'password'] as const;

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
      <fieldset class="choices">
        <legend class="visually-hidden">{words.accessLabel}</legend>
        {ACCESS.map((access) => (
          <label key={access} class="choice">
            <input
              type="radio"
              name="access"
              checked={draft.access === access}
              onChange={() => edit({ access })}
            />
            <span class="choice-name">{words.access[access]}</span>
            <span class="choice-about">{words.accessHelp[access]}</span>
          </label>
        ))}
      </fieldset>
      {wasLocked && !locked && <p class="notice">{words.accessLoss}</p>}
      {locked && (
        <ConnectFieldRow
          field={{
            key: 'password',
            kind: 'text',
            label: words.password,
            required: !wasLocked,
            help: wasLocked ? words.passwordKept : words.passwordNew,
          }}
          value={draft.password}
          problem={problem.password}
          onChange={(password) => edit({ password })}
        />
      )}
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
