// Renders the buttons that decide about one call.
import type { Approval } from '../../api/approvals.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useWork } from '../../parts/use-work.ts';
import { approvalsTexts } from '../../texts/approvals.ts';

const words = approvalsTexts;
const COVERS = ['once', 'hour'] as const;

interface Props {
  approval: Approval;
  /** Names the call for a page with several of them. */
  sentence: string;
  /** False while a click may be meant for something else. */
  settled: boolean;
  onApprove: (covers: 'once' | 'hour') => Promise<void>;
  onDeny: () => void;
}

export function ApprovalActions({ approval, sentence, settled, onApprove, onDeny }: Props) {
  const { busy, problem, run } = useWork();
  const isOff = busy || !settled;
  const canApprove = approval.args !== null;

  return (
    <>
      {problem !== undefined && <ErrorNotice {...problem} />}
      <div class="approval-actions">
        {canApprove &&
          COVERS.map((covers) => (
            <button
              key={covers}
              type="button"
              class={covers === 'once' ? primaryOf(approval) : 'button'}
              aria-label={words.actionOn(words[covers], sentence)}
              aria-disabled={isOff}
              onClick={({ detail }) => {
                // The second click of a double click, and a key that is held down, were meant for something else.
                if (!isOff && detail < 2) void run(() => onApprove(covers));
              }}
            >
              {words[covers]}
            </button>
          ))}
        <button
          type="button"
          class="button approval-deny"
          aria-label={words.actionOn(words.deny, sentence)}
          aria-disabled={isOff}
          onClick={({ detail }) => {
            if (!isOff && detail < 2) onDeny();
          }}
        >
          {words.deny}
        </button>
      </div>
    </>
  );
}

const primaryOf = ({ access }: Approval): string =>
  access === 'destroy' ? 'button button-danger' : 'button button-primary';
