// Says what the deletion of a person takes, and deletes once the address is typed.
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { peopleTexts } from '../../texts/people.ts';

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
  const { busy, problem, setProblem, run } = useWork();

  function confirm(): void {
    setProblem();
    if (typed.trim().toLowerCase() !== email.toLowerCase()) {
      setWrong(words.typeWrong);
      field.current?.focus();
      return;
    }
    void run(async () => {
      await onDelete();
      onClose();
    });
  }

  return (
    <Form
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={label}
      submitClass="button button-danger"
      onSubmit={confirm}
      onCancel={onClose}
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
    </Form>
  );
}
