// Says what the deletion of a person takes, and deletes once the address is typed.
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { texts } from '../../texts/texts.ts';

const words = peopleTexts.data;

interface Props {
  title: string;
  email: string;
  label: string;
  onDelete: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

export function DeleteDialog({ title, onClose, children, ...rest }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          <div class="dialog-body">{children}</div>
          <TypedQuestion {...rest} onClose={close} />
        </>
      )}
    </Dialog>
  );
}

function TypedQuestion({ email, label, onDelete, onClose }: Omit<Props, 'title' | 'children'>) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    if (busy) return;
    setProblem('');
    if (typed.trim().toLowerCase() !== email.toLowerCase()) {
      setWrong(words.typeWrong);
      field.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await onDelete();
      onClose();
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  }

  return (
    <form
      class="connect-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <div class="connect-field">
        <label for={id}>{words.type(email)}</label>
        <input
          ref={field}
          id={id}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          aria-invalid={wrong !== ''}
          aria-describedby={`${id}-problem`}
          onInput={({ currentTarget }) => {
            setWrong('');
            setTyped(currentTarget.value);
          }}
        />
        <p id={`${id}-problem`} class="connect-problem">
          {wrong}
        </p>
      </div>
      {problem !== '' && <ErrorNotice message={problem} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-danger" aria-disabled={busy}>
          {label}
        </button>
      </div>
    </form>
  );
}
