// Names the calls once more before several are approved together.
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { VisibleText } from '../../parts/visible-text.tsx';
import { approvalsTexts } from '../../texts/approvals.ts';
import { texts } from '../../texts/texts.ts';

const words = approvalsTexts;

interface Props {
  sentences: readonly string[];
  covers: 'once' | 'hour';
  /** Set when one of the calls deletes. */
  destroys: boolean;
  /** Resolves to what is to be done once the dialog is closed. */
  onApprove: () => Promise<() => void>;
  onClose: () => void;
}

export function SeveralDialog({ sentences, covers, destroys, onApprove, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function approve(close: () => void): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      const after = await onApprove();
      close();
      after();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={words.severalTitle(sentences.length, covers === 'hour')} onClose={onClose}>
      {(close) => (
        <>
          <div class="dialog-body">
            <p>{words.severalLead}</p>
            <ul class="approval-sentences">
              {sentences.map((sentence, index) => (
                // Two calls may read the same.
                <li key={index}>
                  <VisibleText text={sentence} />
                </li>
              ))}
            </ul>
          </div>
          {problem !== '' && <ErrorNotice message={problem} />}
          <div class="dialog-actions">
            <button type="button" class="button" autoFocus onClick={close}>
              {texts.actions.cancel}
            </button>
            <button
              type="button"
              class={destroys ? 'button button-danger' : 'button button-primary'}
              aria-disabled={busy}
              onClick={({ detail }) => {
                // The second click of a double click was meant for the button that asked.
                if (detail < 2) void approve(close);
              }}
            >
              {words[covers]}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
