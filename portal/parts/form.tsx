// Renders a form that ends in its buttons, with the problem of the last submit above them.
import type { ComponentChildren, RefObject } from 'preact';
import { texts } from '../texts/texts.ts';
import { ErrorNotice, type Problem } from './error-notice.tsx';

interface Props {
  class?: string;
  /** The accessible name. */
  label?: string;
  element?: RefObject<HTMLFormElement | null>;
  /** A form is not submitted again while it is busy. */
  busy?: boolean;
  problem?: Problem | undefined;
  submitLabel: string;
  submitClass?: string;
  /** The button stands beside the fields, and the problem below. */
  isInline?: boolean;
  onSubmit: () => void;
  onCancel?: (() => void) | undefined;
  children: ComponentChildren;
  /** Shown between the problem and the buttons. */
  after?: ComponentChildren;
}

export function Form({
  class: className,
  label,
  element,
  busy = false,
  problem,
  submitLabel,
  submitClass = 'button button-primary',
  isInline = false,
  onSubmit,
  onCancel,
  children,
  after,
}: Props) {
  function submit(): void {
    if (!busy) onSubmit();
  }

  const button = (
    <button type="submit" class={submitClass} aria-disabled={busy}>
      {submitLabel}
    </button>
  );
  const notice = problem !== undefined && (
    <ErrorNotice
      message={problem.message}
      lines={problem.lines}
      {...(problem.isTemporary === true ? { onRetry: submit } : {})}
    />
  );
  return (
    <form
      ref={element ?? null}
      class={className}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      {isInline ? (
        <>
          {button}
          {notice}
        </>
      ) : (
        <>
          {notice}
          {after}
          <div class="dialog-actions">
            {onCancel && (
              <button type="button" class="button" onClick={onCancel}>
                {texts.actions.cancel}
              </button>
            )}
            {button}
          </div>
        </>
      )}
    </form>
  );
}
