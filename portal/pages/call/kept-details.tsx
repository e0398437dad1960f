// Shows the arguments and the result of a call, or says why they are not there.
import type { Call, Copied } from '../../api/calls.ts';
import { ArgumentsView } from '../../parts/arguments-view.tsx';
import { Link } from '../../router/link.tsx';
import { callTexts as words } from '../../texts/call.ts';
import { JsonPanel } from '../tools/json/json-panel.tsx';
import { isMembers } from './repeat.ts';

export function KeptDetails({ call: { action, tool, details, success } }: { call: Call }) {
  // A decision has neither arguments nor a result.
  if (action === 'DECIDE') return null;
  if (details.state !== 'kept')
    return (
      <p class="muted one-call-none">
        {words[details.state]} {details.state === 'off' && <Link href="/settings">{words.toSettings}</Link>}
      </p>
    );
  const { args, result, select, expiresAt } = details;
  const isRaw = action === 'CURL';
  return (
    <>
      <section class="panel" aria-labelledby="call-args">
        <h2 id="call-args">{isRaw ? words.raw : words.args}</h2>
        <Notes of={args} />
        {isMembers(args.value) ? (
          <ArgumentsView args={args.value} />
        ) : (
          <JsonPanel value={args.value} name={`${tool} arguments`} />
        )}
        {select !== null && (
          <p class="one-call-select">
            {words.select} <code>{select}</code>
          </p>
        )}
      </section>
      {(success || isRaw || result !== null) && (
        <section class="panel" aria-labelledby="call-result">
          <h2 id="call-result">{success ? words.result : words.sent}</h2>
          {result === null ? (
            <p class="muted">{isRaw ? words.rawNoResult : words.noResult}</p>
          ) : (
            <>
              <Notes of={result} />
              <JsonPanel value={result.value} name={tool} />
            </>
          )}
        </section>
      )}
      <p class="muted one-call-none">{words.until(expiresAt)}</p>
    </>
  );
}

function Notes({ of: { isCut, withheld } }: { of: Copied }) {
  return (
    <>
      {isCut && <p class="muted">{words.cut}</p>}
      {withheld.length > 0 && <p class="muted">{words.withheld(withheld.length)}</p>}
    </>
  );
}
