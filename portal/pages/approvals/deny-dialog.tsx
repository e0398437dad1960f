// Asks for an optional word to the agent, and denies one call or several.
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { VisibleText } from '../../parts/visible-text.tsx';
import { useKept } from '../../state/use-kept.ts';
import { approvalsTexts } from '../../texts/approvals.ts';

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
  const { busy, problem, run } = useWork();

  async function deny(): Promise<void> {
    const after = await onDeny(reason.trim());
    close();
    after();
  }

  return (
    <Form
      busy={busy}
      problem={problem}
      submitLabel={words.denyConfirm}
      onSubmit={() => void run(deny)}
      onCancel={close}
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
    </Form>
  );
}
