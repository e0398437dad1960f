// Lists failed calls, those of the same tool with the same error in one line.
import { fetchFailures } from '../../api/audit.ts';
import type { Integration } from '../../api/integrations.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { LIVE_MS, usePoll } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { type Choice, filterOf, isNarrowed, isOver } from './choice.ts';
import { FailureRow } from './failure-row.tsx';
import { type Failures, joinFailures } from './failures.ts';
import { More } from './more.tsx';
import { NoFailures, NoMatch } from './nothing.tsx';

const words = texts.activity;

interface Props {
  kept: string;
  choice: Choice;
  integrations: readonly Integration[] | undefined;
  onClear: () => void;
}

export function FailureList({ kept, choice, integrations, onClear }: Props) {
  const failures: Resource<Failures> = useResource(`failures ${kept}`, () => fetchFailures(filterOf(choice)));
  const { groups = [], nextCursor: cursor, searchedUntil, extended, isCut } = failures.data ?? {};
  // A refresh would count the older calls no more.
  usePoll(failures.data !== undefined && extended !== true && !isOver(choice), LIVE_MS, failures.look);

  async function countOlder(from: string): Promise<void> {
    const older = await fetchFailures(filterOf(choice), from);
    failures.change((now) => (now.nextCursor === from ? joinFailures(now, older) : now));
  }

  return (
    <>
      <NotLoaded of={[failures]} />
      {failures.data === undefined && failures.error === undefined && <Skeleton rows={8} />}
      {groups.length > 0 && (
        <ul class="calls" aria-label={words.failures}>
          {groups.map((group) => (
            <FailureRow
              // The newest call of a group changes, the group does not.
              key={JSON.stringify([group.integration, group.tool, group.outcome, group.error])}
              group={group}
              choice={choice}
              integrations={integrations}
            />
          ))}
        </ul>
      )}
      {isCut === true && <p class="more muted">{words.isCut}</p>}
      {failures.data !== undefined && groups.length === 0 && cursor === undefined && (
        <>{isNarrowed(choice) ? <NoMatch onClear={onClear} /> : <NoFailures />}</>
      )}
      {cursor !== undefined && (
        <More searchedUntil={searchedUntil} isEmpty={groups.length === 0} onMore={() => countOlder(cursor)} />
      )}
    </>
  );
}
