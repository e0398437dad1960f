// Renders the buttons that decide about all selected calls. The bar stays in view at the bottom of the window.
import { useRef } from 'preact/hooks';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { approvalsTexts } from '../../texts/approvals.ts';

const words = approvalsTexts;
const COVERS = ['once', 'hour'] as const;

interface Props {
  count: number;
  /** False when the arguments of a selected call can no longer be shown. */
  canApprove: boolean;
  destroys: boolean;
  settled: boolean;
  onApprove: (covers: 'once' | 'hour') => void;
  onDeny: () => void;
  onClear: () => void;
}

export function SelectionBar({ count, canApprove, destroys, settled, onApprove, onDeny, onClear }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useFocusFallback(bar);
  const primary = destroys ? 'button button-danger' : 'button button-primary';
  return (
    <div ref={bar} class="selection-bar" role="group" aria-label={words.bar}>
      <p role="status">{words.selected(count)}</p>
      <button type="button" class="link-button" onClick={onClear}>
        {words.clear}
      </button>
      {!canApprove && <p class="muted selection-note">{words.onlyDeny}</p>}
      <div class="approval-actions">
        {canApprove &&
          COVERS.map((covers) => (
            <button
              key={covers}
              type="button"
              class={covers === 'once' ? primary : 'button'}
              aria-disabled={!settled}
              onClick={({ detail }) => {
                if (settled && detail < 2) onApprove(covers);
              }}
            >
              {words[covers]}
            </button>
          ))}
        <button
          type="button"
          class="button approval-deny"
          aria-disabled={!settled}
          onClick={({ detail }) => {
            if (settled && detail < 2) onDeny();
          }}
        >
          {words.deny}
        </button>
      </div>
    </div>
  );
}
