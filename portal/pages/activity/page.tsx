// Lists the tool calls made on the person's behalf. Administrators also see those of everybody.
import { useRef } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { Chips } from '../../parts/chips.tsx';
import { Icon } from '../../parts/icon.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { LIVE_MS, usePoll } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { useSearch } from '../../state/use-search.ts';
import { texts } from '../../texts/texts.ts';
import { CallList } from './call-list.tsx';
import { type Calls, fetchCalls } from './calls.ts';
import { choiceIn, filterOf, isOver, NO_CHOICE } from './choice.ts';
import { Export } from './export.tsx';
import { FailureList } from './failure-list.tsx';
import { Filters } from './filters.tsx';
import { Narrowed } from './narrowed.tsx';
import { Search } from './search.tsx';
import { Whose } from './whose.tsx';

const words = texts.activity;
const VIEWS = [
  { value: '', label: words.allCalls },
  { value: 'failures', label: words.failures },
];

export function ActivityPage() {
  const choice = choiceIn(useLocation().query);
  const [query, search] = useSearch();
  const field = useRef<HTMLInputElement>(null);
  const { ofAll, isGrouped } = choice;
  const kept = `audit ${JSON.stringify({ ...choice, isGrouped: false })}`;
  const calls: Resource<Calls> = useResource(kept, () => fetchCalls(filterOf(choice), calls.data));
  const integrations = useResource('integrations', fetchIntegrations).data;
  const { entries = [] } = calls.data ?? {};
  const isAdministrator = useIsAdministrator();
  usePoll(calls.data !== undefined && !isGrouped && !isOver(choice), LIVE_MS, calls.look);

  function clear(): void {
    search('');
    setQuery(NO_CHOICE);
  }

  return (
    <Page
      title={words.title}
      lead={ofAll ? words.leadOfAll : words.lead}
      actions={
        !isGrouped && (
          <button type="button" class="button" onClick={calls.reload}>
            <Icon name="refresh" />
            {words.refresh}
          </button>
        )
      }
    >
      <div class="calls-views">
        {(isAdministrator || ofAll) && <Whose of={ofAll ? 'everybody' : ''} />}
        <Chips
          label={words.view}
          choices={VIEWS}
          chosen={isGrouped ? 'failures' : ''}
          onChoose={(view) => setQuery({ view })}
        />
        {entries.length > 0 && <Export choice={choice} />}
      </div>
      <Search query={query} onQuery={search} field={field} />
      <Filters choice={choice} integrations={integrations} entries={entries} />
      <Narrowed {...choice} />
      {isGrouped ? (
        <FailureList key={kept} kept={kept} choice={choice} integrations={integrations} onClear={clear} />
      ) : (
        <CallList calls={calls} kept={kept} choice={choice} integrations={integrations} onClear={clear} />
      )}
    </Page>
  );
}
