// Shows one approval. This is the page that agents link to.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Approval, type Decision, decide, fetchApproval } from '../../api/approvals.ts';
import { ApiError } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { PageProps } from '../../router/match.ts';
import { useSession } from '../../session/session.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { useWaiting } from '../../state/use-approvals.ts';
import { usePoll } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { ApprovalActions } from './approval-actions.tsx';
import { ApprovalBody } from './approval-body.tsx';
import { ApprovalHead } from './approval-head.tsx';
import { DenyDialog } from './deny-dialog.tsx';
import { sentenceOf } from './describe.ts';
import { Happened, StateLamp } from './happened.tsx';
import { Subject, ToolRule } from './subject.tsx';
import { type Names, useNames } from './use-names.ts';
import { useSettled } from '../../state/use-settled.ts';
import '../../styles/approvals.css';

const words = approvalsTexts;
const POLL_MS = 3000;
const LIVE_STATES: readonly string[] = ['pending', 'approved', 'running'];

export function ApprovalPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const names = useNames();
  const { me } = useSession();
  const approval = useResource(`approval ${id}`, () => fetchApproval(id));
  const { data, error } = approval;
  usePoll(data !== undefined && LIVE_STATES.includes(data.state), POLL_MS, approval.look);
  const isMissing = error?.status === 404 || error?.status === 400;

  return (
    <Page
      title={
        isMissing ? words.missingTitle : words.oneTitle[data?.state === 'pending' ? 'pending' : 'decided']
      }
      before={<Back href="/approvals" label={words.all} />}
    >
      {isMissing ? (
        <Empty icon="approvals" title={words.missingLead(me.email)} lead={words.missingHelp} />
      ) : (
        <>
          <NotLoaded of={[approval]} />
          {data === undefined && error === undefined && <Skeleton rows={3} />}
          {data !== undefined && <One approval={data} names={names} onChange={approval.set} />}
        </>
      )}
    </Page>
  );
}

interface OneProps {
  approval: Approval;
  names: Names;
  onChange: (approval: Approval) => void;
}

function One({ approval, names, onChange }: OneProps) {
  const waiting = useWaiting();
  const [isDenying, setDenying] = useState(false);
  const settled = useSettled(`${approval.id} ${approval.state}`);
  const state = useRef<HTMLDivElement>(null);
  const sentence = sentenceOf(approval, names.nameOf(approval.integration)).whole;
  const isPending = approval.state === 'pending';
  const wasPending = useRef(isPending);

  useEffect(() => {
    // The buttons have disappeared, so the focus moves to what has become of the call.
    if (wasPending.current && !isPending && document.activeElement === document.body)
      state.current?.focus({ preventScroll: true });
    wasPending.current = isPending;
  }, [isPending]);

  async function act(decision: Decision): Promise<() => void> {
    const now = await decide(approval.id, decision).catch((error: unknown) => {
      // Somebody has decided in another window, or the time has passed. The page says what has become of the call.
      if (error instanceof ApiError && error.status === 409) return lookAgain(error);
      throw error;
    });
    return () => {
      onChange(now);
      waiting.change((all) => all.filter(({ id }) => id !== now.id));
    };
  }

  async function lookAgain(error: ApiError): Promise<Approval> {
    const now = await fetchApproval(approval.id);
    if (now.state !== 'pending') return now;
    onChange(now);
    throw error;
  }

  return (
    <section class="panel approval approval-one" aria-label={sentence}>
      <ApprovalHead approval={approval} names={names}>
        <div ref={state} class="approval-state" role="status" tabIndex={-1}>
          {!isPending && (
            <>
              <StateLamp approval={approval} />
              <Happened approval={approval} names={names} />
            </>
          )}
        </div>
      </ApprovalHead>
      {isPending && approval.args !== null && <Subject approval={approval} names={names} />}
      <ApprovalBody approval={approval} names={names} />
      {isPending && (
        <>
          <ApprovalActions
            {...{ approval, sentence, settled }}
            onApprove={async (covers) => (await act({ decision: 'approve', for: covers }))()}
            onDeny={() => setDenying(true)}
          />
          {approval.args !== null && <p class="muted approval-note">{words.hourMeans}</p>}
          <ToolRule approval={approval} />
        </>
      )}
      {isDenying && (
        <DenyDialog
          sentences={[sentence]}
          name={approval.id}
          onDeny={(reason) => act({ decision: 'deny', ...(reason === '' ? {} : { reason }) })}
          onClose={() => setDenying(false)}
        />
      )}
    </section>
  );
}
