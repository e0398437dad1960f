// Renders a group of failed calls in one line, which opens to the calls.
import { useId, useState } from 'preact/hooks';
import type { FailureGroup } from '../../api/audit.ts';
import type { Integration } from '../../api/integrations.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { isOwnRefusal } from '../../parts/explain-failure.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { formatAge, RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { setQuery } from '../../router/location.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { CallRow } from './call-row.tsx';
import { fetchCalls } from './calls.ts';
import { type Choice, filterOf } from './choice.ts';
import { errorOf } from './error-of.ts';

const words = texts.activity;

interface Props {
  group: FailureGroup;
  choice: Choice;
  integrations: readonly Integration[] | undefined;
}

export function FailureRow({ group, choice, integrations }: Props) {
  const of = displayNameOf(group.integration, integrations);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const outcome = outcomeOf({ ...group, success: false });
  const error = errorOf(group, of);
  // The gateway's own code says no more than the sentence.
  const isSaid = error !== undefined && !isOwnRefusal(error.raw);
  return (
    <li class="failure-item">
      <button
        type="button"
        class="failure"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="failure-calls">{words.calls(group.calls)}</span>
        <span class="call-outcome">
          <Lamp colour={colourOf(outcome)}>{words[outcome]}</Lamp>
        </span>
        <span class="call-what">
          <span class="call-tool">{toolWords(group.tool, group.integration)}</span>{' '}
          <span class="call-where">{of}</span>
        </span>
        <span class="call-error">{error?.short}</span>
        <span class="call-when">
          {formatAge(group.first) !== formatAge(group.last) && (
            <>
              <span class="visually-hidden">{words.firstCall} </span>
              <RelativeTime at={group.first} />
              {' – '}
            </>
          )}
          <span class="visually-hidden">{words.lastCall} </span>
          <RelativeTime at={group.last} />
        </span>
      </button>
      {isOpen && (
        <div id={id} class="failure-open">
          {isSaid && <LongText text={error.raw} max={600} />}
          <CallsAlike group={group} choice={choice} integrations={integrations} />
        </div>
      )}
    </li>
  );
}

function CallsAlike({ group: { id, tool, calls }, choice, integrations }: Props) {
  const alike = { ...choice, like: String(id) };
  const kept = `alike ${JSON.stringify(alike)}`;
  const page = useResource(kept, () => fetchCalls(filterOf(alike), undefined));
  const { entries = [] } = page.data ?? {};
  return (
    <>
      <NotLoaded of={[page]} />
      {page.data === undefined && page.error === undefined && <Skeleton rows={Math.min(calls, 4)} />}
      <ul aria-label={words.callsOf(tool)}>
        {entries.map((entry) => (
          <CallRow key={entry.id} entry={entry} integrations={integrations} />
        ))}
      </ul>
      {entries.length < calls && page.data !== undefined && (
        <button
          type="button"
          class="button"
          onClick={() => setQuery({ view: '', success: '', outcome: '', like: String(id) })}
        >
          {words.listAll(calls)}
        </button>
      )}
    </>
  );
}
