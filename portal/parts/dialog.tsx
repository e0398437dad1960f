// What is asked over the page it was asked for on. On phones it rises from below.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useFocusHeir } from './focus-heir.ts';

interface Props {
  title: string;
  /** However it was closed. */
  onClose: () => void;
  children: (close: () => void) => ComponentChildren;
}

export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useFocusHeir(dialog);

  useLayoutEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
