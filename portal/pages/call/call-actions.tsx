// Offers what can be done with a call: run it again, copy it as curl, and copy its address.
import type { Call } from '../../api/calls.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { callTexts as words } from '../../texts/call.ts';
import { curlOf, openAgain } from './repeat.ts';

/** `isFirst`: nothing else comes before running it again. */
export function CallActions({ call, isFirst }: { call: Call; isFirst: boolean }) {
  const { action, details, id } = call;
  const curl = curlOf(call, location.origin);
  const isOwn = details.state !== 'private';
  const isComplete = details.state === 'kept' && !details.args.isCut;
  return (
    <>
      <div class="row one-call-actions">
        {action === 'EXECUTE' && isOwn && (
          <ActionButton
            label={isComplete ? words.again : words.openTool}
            primary={isComplete && isFirst}
            onAct={() => openAgain(call)}
          />
        )}
        {curl !== null && isOwn && <CopyButton label={words.copyCurl} text={() => curl} />}
        <CopyButton label={words.copyLink} text={() => `${location.origin}/activity/${id}`} />
      </div>
    </>
  );
}
