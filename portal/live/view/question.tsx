// Shows a dialog of the site, which no screencast shows.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import type { JsDialog } from '../remote/protocol.ts';

const words = texts.live.dialogs;

interface Props {
  dialog: JsDialog;
  onAnswer: (accept: boolean, promptText: string) => void;
}

export function Question({ dialog: { type, message, defaultPrompt = '', url }, onAnswer }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const answerId = useId();
  const [text, setText] = useState(defaultPrompt);
  const isLeaving = type === 'beforeunload';
  const title = isLeaving ? words.beforeunload : words[type](URL.parse(url)?.host ?? url);

  useLayoutEffect(() => element.current?.showModal(), []);

  return (
    <dialog
      ref={element}
      class="dialog live-question"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onAnswer(false, '');
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(true, text);
        }}
      >
        <h2 id={titleId}>{title}</h2>
        <div class="dialog-body">
          <p class="live-message">{isLeaving ? words.beforeunloadLead : message}</p>
          {type === 'prompt' && (
            <>
              <label for={answerId}>{words.answer}</label>
              <input id={answerId} value={text} onInput={(event) => setText(event.currentTarget.value)} />
            </>
          )}
        </div>
        <div class="dialog-actions">
          {type !== 'alert' && (
            <button type="button" class="button" onClick={() => onAnswer(false, '')}>
              {isLeaving ? words.stay : texts.actions.cancel}
            </button>
          )}
          {/* Enter accepts, as in the browser's own dialogs. In a prompt, the text field has the focus first. */}
          <button type="submit" class="button button-primary" autofocus={type !== 'prompt'}>
            {isLeaving ? words.go : words.ok}
          </button>
        </div>
      </form>
    </dialog>
  );
}
