// Lets people paste without a keyboard: they paste into this field, so the portal never reads the clipboard.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Form } from '../../parts/form.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.live.pasting;

interface Props {
  onPaste: (text: string) => void;
  onClose: () => void;
}

export function PasteDialog({ onPaste, onClose }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const titleId = useId();
  const fieldId = useId();

  useLayoutEffect(() => element.current?.showModal(), []);

  function send(text: string): void {
    if (text !== '') onPaste(text);
    element.current?.close();
  }

  return (
    <dialog ref={element} class="dialog" aria-labelledby={titleId} onClose={onClose} closedby="any">
      <Form
        submitLabel={words.send}
        onSubmit={() => send(field.current?.value ?? '')}
        onCancel={() => element.current?.close()}
      >
        <h2 id={titleId}>{words.title}</h2>
        <div class="dialog-body">
          <p>{words.lead}</p>
          <label for={fieldId}>{words.field}</label>
          <textarea
            id={fieldId}
            ref={field}
            rows={2}
            autocomplete="off"
            spellcheck={false}
            onPaste={(event) => {
              event.preventDefault();
              send(event.clipboardData?.getData('text/plain') ?? '');
            }}
          />
        </div>
      </Form>
    </dialog>
  );
}
