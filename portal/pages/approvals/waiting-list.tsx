// Lists the calls that wait for the person, who decides about one or about several together.
import { useRef, useState } from 'preact/hooks';
import type { Approval } from '../../api/approvals.ts';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useWaiting } from '../../state/use-approvals.ts';
import { useGradually } from '../../state/use-gradually.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { ApprovalActions } from './approval-actions.tsx';
import { ApprovalBody } from './approval-body.tsx';
import { ApprovalHead } from './approval-head.tsx';
import { DenyDialog } from './deny-dialog.tsx';
import { sentenceOf } from './describe.ts';
import { NothingWaits } from './nothing-waits.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SeveralDialog } from './several-dialog.tsx';
import { useDeciding } from './use-deciding.ts';
import type { Names } from './use-names.ts';
import { useSettled } from '../../state/use-settled.ts';

const words = approvalsTexts;
const NOBODY: ReadonlySet<string> = new Set();

export function WaitingList({ names }: { names: Names }) {
  const waiting = useWaiting();
  const all = waiting.data ?? [];
  const shown = all.slice(0, useGradually(all.length, 'approvals'));
  const [chosen, setChosen] = useState(NOBODY);
  const [denying, setDenying] = useState<readonly Approval[]>([]);
  const [approving, setApproving] = useState<'once' | 'hour'>();
  const { removed, one, several } = useDeciding(names);
  const settled = useSettled(`${all.map(({ id }) => id).join(' ')} ${chosen.size > 0}`);
  const sentence = (approval: Approval) => sentenceOf(approval, names.nameOf(approval.integration)).whole;
  // A call that has left the list is no longer chosen.
  const selected = all.filter(({ id }) => chosen.has(id));

  return (
    <>
      <NotLoaded of={[waiting]} />
      {waiting.data === undefined && waiting.error === undefined && <Skeleton rows={3} />}
      {waiting.data?.length === 0 && <NothingWaits />}
      {all.length > 0 && (
        <div class="approvals-top">
          {all.length > 1 && (
            <label class="approvals-all">
              <input
                type="checkbox"
                checked={selected.length === all.length}
                onChange={({ currentTarget }) =>
                  setChosen(currentTarget.checked ? new Set(all.map(({ id }) => id)) : NOBODY)
                }
              />
              {words.selectAll}
            </label>
          )}
          <p class="muted">{words.hourMeansInList}</p>
        </div>
      )}
      <Rows label={words.title} removed={removed}>
        {shown.map((approval) => (
          <Row
            key={approval.id}
            {...{ approval, names, settled }}
            sentence={sentence(approval)}
            chosen={chosen.has(approval.id)}
            onChoose={all.length > 1 ? (wanted) => setChosen(withMember(chosen, approval.id, wanted)) : null}
            onApprove={async (covers) => (await one(approval, { decision: 'approve', for: covers }))()}
            onDeny={() => setDenying([approval])}
          />
        ))}
      </Rows>
      {selected.length > 0 && (
        <SelectionBar
          count={selected.length}
          canApprove={selected.every(({ args }) => args !== null)}
          destroys={selected.some(({ access }) => access === 'destroy')}
          settled={settled}
          onApprove={setApproving}
          onDeny={() => setDenying(selected)}
          onClear={() => setChosen(NOBODY)}
        />
      )}
      {approving !== undefined && (
        <SeveralDialog
          sentences={selected.map(sentence)}
          covers={approving}
          destroys={selected.some(({ access }) => access === 'destroy')}
          onApprove={() => several(selected, { decision: 'approve', for: approving })}
          onClose={() => setApproving(undefined)}
        />
      )}
      {denying.length > 0 && (
        <DenyDialog
          sentences={denying.map(sentence)}
          name={denying.map(({ id }) => id).join(' ')}
          onDeny={(reason) => {
            const decision = { decision: 'deny', ...(reason === '' ? {} : { reason }) } as const;
            const [first] = denying;
            return denying.length === 1 && first !== undefined
              ? one(first, decision)
              : several(denying, decision);
          }}
          onClose={() => setDenying([])}
        />
      )}
    </>
  );
}

function withMember(set: ReadonlySet<string>, id: string, wanted: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (wanted) next.add(id);
  else next.delete(id);
  return next;
}

interface RowProps {
  approval: Approval;
  names: Names;
  sentence: string;
  settled: boolean;
  chosen: boolean;
  /** Null where there is nothing to choose from. */
  onChoose: ((wanted: boolean) => void) | null;
  onApprove: (covers: 'once' | 'hour') => Promise<void>;
  onDeny: () => void;
}

function Row({ approval, names, sentence, settled, chosen, onChoose, onApprove, onDeny }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  useFocusFallback(row);
  return (
    <li ref={row} class={chosen ? 'approval approval-chosen' : 'approval'}>
      {onChoose !== null && (
        <label class="approval-check">
          <input
            type="checkbox"
            checked={chosen}
            aria-label={words.select(sentence)}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
          />
        </label>
      )}
      <ApprovalHead
        approval={approval}
        names={names}
        href={`/approvals/${encodeURIComponent(approval.id)}`}
      />
      <ApprovalBody approval={approval} names={names} />
      <ApprovalActions {...{ approval, sentence, settled, onApprove, onDeny }} />
    </li>
  );
}
