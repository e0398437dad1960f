// Shows what was called, how it went, and what needs the person. Administrators also see the calls of everybody.
import { useEffect, useRef } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { fetchUsage, type Range, RANGES } from '../../api/usage.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { navigate, setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { usePollOfCounts } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { overviewTexts as words } from '../../texts/overview.ts';
import '../../styles/overview.css';
import { AttentionPanel } from './attention-panel.tsx';
import { Busiest } from './busiest.tsx';
import { CallsChart, LatencyChart, type Span } from './call-charts.tsx';
import { sumOf } from './figures.ts';
import { Figures } from './figure-row.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { LiveFeed, useFeed } from './live-feed.tsx';

const WHOSE = [
  { value: '', label: words.mine },
  { value: 'everybody', label: words.everybody },
];
const TIMES = RANGES.map((range) => ({ value: range, label: words.ranges[range] }));

export function OverviewPage() {
  const { query } = useLocation();
  const range = rangeIn(query);
  const of = query.get('of') === 'everybody' ? 'everybody' : undefined;
  const usage = useResource(`usage ${of ?? ''} ${range}`, () => fetchUsage(range, of));
  const integrations = useResource('integrations', fetchIntegrations);
  const feed = useFeed(of);
  usePollOfCounts(usage);
  const newest = feed.data?.entries[0]?.id;
  const counted = useRef(newest);
  useEffect(() => {
    // New calls are worth a new count.
    if (counted.current !== undefined && counted.current !== newest) usage.look();
    counted.current = newest;
  }, [newest]);
  const isAdministrator = useIsAdministrator();

  const { data } = usage;
  const isNew =
    data !== undefined && sumOf(data.totals) + sumOf(data.before) === 0 && feed.data?.entries.length === 0;
  return (
    <Page
      title={words.title}
      lead={of === 'everybody' ? words.leadOfAll : words.lead}
      actions={
        <>
          {(isAdministrator || of === 'everybody') && (
            <Segments
              class="overview-switch"
              label={words.whose}
              choices={WHOSE}
              chosen={of ?? ''}
              onChoose={(chosen) => setQuery({ of: chosen })}
            />
          )}
          <Segments
            class="overview-switch"
            label={words.range}
            choices={TIMES}
            chosen={range}
            onChoose={(chosen) => setQuery({ range: chosen === '24h' ? '' : chosen })}
          />
        </>
      }
    >
      <NotLoaded of={[usage, feed]} />
      <div class="overview">
        <AttentionPanel />
        <div class="overview-main">
          {data === undefined && usage.error === undefined && <Skeleton rows={5} />}
          {data !== undefined && <NothingYet isNew={isNew} isOwn={of === undefined} />}
          {data !== undefined && !isNew && (
            <>
              {data.isBehind && (
                <p class="notice" role="status">
                  {words.behind}
                </p>
              )}
              <Figures usage={data} />
              <CallsChart usage={data} onOpen={(span) => navigate(callsIn(span, of))} />
              <LatencyChart usage={data} />
              <Busiest usage={data} of={of} integrations={integrations.data} />
            </>
          )}
        </div>
        <LiveFeed feed={feed} of={of} integrations={integrations.data} />
      </div>
    </Page>
  );
}

function rangeIn(query: URLSearchParams): Range {
  return RANGES.find((each) => each === query.get('range')) ?? '24h';
}

function callsIn({ from, to }: Span, of: 'everybody' | undefined): string {
  const query = { ...(of === undefined ? {} : { of }), range: 'custom', from: String(from), to: String(to) };
  return `/activity?${new URLSearchParams(query).toString()}`;
}
