// Lets people paste without a keyboard: they paste into this field, so the portal never reads the clipboard.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(field.current?.value ?? '');
        }}
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
        <div class="dialog-actions">
          <button type="button" class="button" onClick={() => element.current?.close()}>
            {texts.actions.cancel}
          </button>
          <button type="submit" class="button button-primary">
            {words.send}
          </button>
        </div>
      </form>
    </dialog>
  );
}
