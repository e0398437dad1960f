// Renders the buttons of a question that only asks for a yes.
import { texts } from '../texts/texts.ts';

interface Props {
  confirmLabel: string;
  confirmClass: string;
  busy?: boolean;
  /** The focus begins at the button that does nothing. */
  hasFocus?: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

export function ConfirmActions({
  confirmLabel,
  confirmClass,
  busy = false,
  hasFocus = false,
  onCancel,
  onConfirm,
}: Props) {
  return (
    <div class="dialog-actions">
      <button type="button" class="button" autoFocus={hasFocus} onClick={onCancel}>
        {texts.actions.cancel}
      </button>
      <button
        type="button"
        class={confirmClass}
        aria-disabled={busy}
        onClick={({ detail }) => {
          // The second click of a double click was meant for the button that asked.
          if (detail < 2) onConfirm();
        }}
      >
        {confirmLabel}
      </button>
    </div>
  );
}
