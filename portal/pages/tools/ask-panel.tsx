// Shows the question about a call that needs the person's approval, and runs the same call after their yes.
import { useRef } from 'preact/hooks';
import { decide, fetchApproval } from '../../api/approvals.ts';
import { ApiError } from '../../api/client.ts';
import type { Tool } from '../../api/tools.ts';
import { ArgumentsView } from '../../parts/arguments-view.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Icon } from '../../parts/icon.tsx';
import { useWork } from '../../parts/use-work.ts';
import { Link } from '../../router/link.tsx';
import { useWaiting } from '../../state/use-approvals.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { useSettled } from '../../state/use-settled.ts';
import { type Run, startRun } from './run.ts';

const words = texts.tools;

interface Props {
  tool: Tool;
  args: Record<string, unknown>;
  account?: string | undefined;
  /** The id of the approval. */
  approval: string;
  onRun: (run: Run) => void;
}

export function AskPanel({ tool, args, account, approval, onRun }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useFocusFallback(panel, '#result');
  const waiting = useWaiting();
  const settled = useSettled(approval);
  // The gateway has added the defaults.
  const asked = useResource(`approval ${approval}`, () => fetchApproval(approval));
  const { busy, problem, run } = useWork();

  async function approveAndRun(): Promise<void> {
    await decide(approval, { decision: 'approve', for: 'once' }).catch(passDecided);
    await startRun(tool, args, onRun, account);
    waiting.look();
  }

  return (
    <div ref={panel} class="explorer-ask">
      <p>{words.askedLead}</p>
      <ArgumentsView args={asked.data?.args ?? args} files={asked.data?.files ?? []} />
      {problem !== undefined && <ErrorNotice {...problem} />}
      <div class="row">
        <button
          type="button"
          class={tool.access === 'destroy' ? 'button button-danger' : 'button button-primary'}
          aria-disabled={busy || !settled}
          onClick={({ detail }) => {
            // The second click of a double click was meant for the Run button.
            if (!busy && settled && detail < 2) void run(approveAndRun);
          }}
        >
          <Icon name="run" />
          {words.approveAndRun}
        </button>
        <Link href={`/approvals/${encodeURIComponent(approval)}`} class="button">
          {words.openApproval}
        </Link>
      </div>
    </div>
  );
}

/** The question was decided in another window. The call itself says what that means now. */
function passDecided(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 409) throw error;
}
