// Lists the calls about which the person has decided, and those whose time has passed.
import { type Approval, fetchApprovals } from '../../api/approvals.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { texts } from '../../texts/texts.ts';
import { ApprovalHead } from './approval-head.tsx';
import { DECIDED_STATES, stateOf } from './describe.ts';
import { Happened, StateLamp } from './happened.tsx';
import type { Names } from './use-names.ts';

const words = approvalsTexts;
const POLL_MS = 5000;

export function DecidedList({ names }: { names: Names }) {
  const asked = useLocation().query.get('state') ?? '';
  const state = DECIDED_STATES.find((each) => each === asked);
  const decided = useResource('approvals decided', () => fetchApprovals(DECIDED_STATES));
  usePollOf(decided, POLL_MS);
  const found = decided.data?.filter((each) => state === undefined || stateOf(each) === state);

  return (
    <>
      <NotLoaded of={[decided]} />
      {decided.data === undefined && decided.error === undefined && <Skeleton rows={4} />}
      {decided.data?.length === 0 && (
        <Empty icon="approvals" title={words.noneDecidedTitle} lead={words.noneDecidedLead} />
      )}
      {decided.data !== undefined && decided.data.length > 0 && (
        <div class="filters">
          <label class="field">
            <span>{words.filter}</span>
            <select
              value={state ?? ''}
              onChange={({ currentTarget }) => setQuery({ state: currentTarget.value })}
            >
              <option value="">{words.anyState}</option>
              {DECIDED_STATES.map((each) => (
                <option key={each} value={each}>
                  {words.states[each]}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {found !== undefined && found.length > 0 && (
        <ul class="rows" aria-label={words.decided}>
          {found.map((approval) => (
            <Row key={approval.id} approval={approval} names={names} />
          ))}
        </ul>
      )}
      {found?.length === 0 && decided.data !== undefined && decided.data.length > 0 && (
        <Empty icon="approvals" title={words.noMatch} lead="">
          <button type="button" class="button" onClick={() => setQuery({ state: '' })}>
            {texts.actions.showAll}
          </button>
        </Empty>
      )}
    </>
  );
}

function Row({ approval, names }: { approval: Approval; names: Names }) {
  return (
    <li class="approval approval-decided">
      <ApprovalHead approval={approval} names={names} href={`/approvals/${encodeURIComponent(approval.id)}`}>
        <Happened approval={approval} names={names} />
      </ApprovalHead>
      <StateLamp approval={approval} />
    </li>
  );
}
