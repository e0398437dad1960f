// Asks for an optional word to the agent, and denies one call or several.
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { VisibleText } from '../../parts/visible-text.tsx';
import { useKept } from '../../state/use-kept.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { texts } from '../../texts/texts.ts';

const words = approvalsTexts;
const MAX_REASON = 200;

interface Props {
  /** One sentence for each call. */
  sentences: readonly string[];
  /** Keeps what was typed while the person looks at something else. */
  name: string;
  /** Resolves to what is to be done once the dialog is closed. */
  onDeny: (reason: string) => Promise<() => void>;
  onClose: () => void;
}

export function DenyDialog(props: Props) {
  return (
    <Dialog title={words.denyTitle(props.sentences.length)} onClose={props.onClose}>
      {(close) => <DenyForm {...props} close={close} />}
    </Dialog>
  );
}

function DenyForm({ sentences, name, onDeny, close }: Props & { close: () => void }) {
  const [reason, setReason] = useKept(`deny ${name}`, '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function deny(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      const after = await onDeny(reason.trim());
      close();
      after();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void deny();
      }}
    >
      <div class="dialog-body">
        <ul class="approval-sentences">
          {sentences.map((sentence, index) => (
            // Two calls may read the same.
            <li key={index}>
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
        <label class="approval-reason">
          <span>{words.denyReason}</span>
          <input
            type="text"
            autoFocus
            autoComplete="off"
            maxLength={MAX_REASON}
            value={reason}
            aria-describedby="deny-help"
            onInput={(event) => setReason(event.currentTarget.value)}
          />
          <span id="deny-help" class="muted">
            {words.denyReasonHelp}
          </span>
        </label>
      </div>
      {problem !== '' && <ErrorNotice message={problem} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {words.denyConfirm}
        </button>
      </div>
    </form>
  );
}
