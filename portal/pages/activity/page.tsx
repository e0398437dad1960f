// Lists the tool calls made on the person's behalf as a stream. Administrators also see those of everybody.
import { useEffect } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { LIVE_MS, usePoll } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { useSearch } from '../../state/use-search.ts';
import { texts } from '../../texts/texts.ts';
import '../../styles/decisions.css';
import '../../styles/stream.css';
import { CallList, goToPageOfCall } from './call-list.tsx';
import { type Calls, fetchCalls } from './calls.ts';
import { choiceIn, filterOf, isOver, keyOf, NO_CHOICE } from './choice.ts';
import { FailureList } from './failure-list.tsx';
import { FilterLine } from './filter-line.tsx';
import { Histogram } from './histogram.tsx';

export function ActivityPage() {
  const choice = choiceIn(useLocation().query);
  const [query, search] = useSearch();
  const kept = `audit ${keyOf(choice)}`;
  const calls: Resource<Calls> = useResource(kept, () => fetchCalls(filterOf(choice), calls.data));
  const integrations = useResource('integrations', fetchIntegrations).data;
  const { entries = [] } = calls.data ?? {};
  const { isGrouped } = choice;
  usePoll(calls.data !== undefined && !isGrouped && !isOver(choice), LIVE_MS, calls.look);
  useEffect(() => goToPageOfCall(choice.call), [choice.call]);

  function clear(): void {
    search('');
    setQuery(NO_CHOICE);
  }

  return (
    <Page title={texts.activity.title}>
      <FilterLine
        choice={choice}
        query={query}
        onQuery={search}
        integrations={integrations}
        entries={entries}
        onRefresh={calls.reload}
      />
      <Histogram key={kept} kept={kept} choice={choice} newest={entries[0]?.id} />
      {isGrouped ? (
        <FailureList key={kept} kept={kept} choice={choice} integrations={integrations} onClear={clear} />
      ) : (
        <CallList calls={calls} kept={kept} choice={choice} integrations={integrations} onClear={clear} />
      )}
    </Page>
  );
}
