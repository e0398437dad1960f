// Names the calls once more before several are approved together.
import { ConfirmActions } from '../../parts/confirm-actions.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useWork } from '../../parts/use-work.ts';
import { VisibleText } from '../../parts/visible-text.tsx';
import { approvalsTexts } from '../../texts/approvals.ts';

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
  const { busy, problem, run } = useWork();

  async function approve(close: () => void): Promise<void> {
    const after = await onApprove();
    close();
    after();
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
          {problem !== undefined && <ErrorNotice {...problem} />}
          <ConfirmActions
            confirmLabel={words[covers]}
            confirmClass={destroys ? 'button button-danger' : 'button button-primary'}
            busy={busy}
            hasFocus
            onCancel={close}
            onConfirm={() => void run(() => approve(close))}
          />
        </>
      )}
    </Dialog>
  );
}
