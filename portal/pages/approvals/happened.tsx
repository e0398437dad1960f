// Shows what became of a call: the state as a lamp, and what it means as a sentence.
import type { Approval } from '../../api/approvals.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { VisibleText } from '../../parts/visible-text.tsx';
import { approvalsTexts } from '../../texts/approvals.ts';
import { colourOf, happenedTo, stateOf } from './describe.ts';
import { Until } from './until.tsx';
import type { Names } from './use-names.ts';

const words = approvalsTexts;

export function StateLamp({ approval }: { approval: Approval }) {
  const state = stateOf(approval);
  if (state === 'pending') return null;
  return (
    <Lamp colour={colourOf(state)} blinking={state === 'running'}>
      {words.states[state]}
    </Lamp>
  );
}

export function Happened({ approval, names }: { approval: Approval; names: Names }) {
  const { text, until } = happenedTo(approval, names.nameOf(approval.integration));
  const { reason } = approval;
  return (
    <p class="approval-happened">
      {text}
      {until !== null && (
        <>
          {' '}
          <Until at={until} />.
        </>
      )}
      {reason !== null && reason !== '' && (
        <>
          {' '}
          {words.happened.reason} “<VisibleText text={reason} />”
        </>
      )}
    </p>
  );
}
