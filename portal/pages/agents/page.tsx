// Shows a card for each agent of the person, whatever its technique, and makes new keys.
import { useState } from 'preact/hooks';
import type { MadeKey } from '../../api/agent-keys.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Link } from '../../router/link.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { findMatches } from '../../state/find.ts';
import { useResource } from '../../state/use-resource.ts';
import { agentPagesTexts } from '../../texts/agent-pages.ts';
import { texts } from '../../texts/texts.ts';
import { CallerCard } from './caller-card.tsx';
import { useCallers } from './callers.ts';
import { MadeKeyPanel } from './made-key.tsx';
import { NewKey } from './new-key.tsx';
import '../../styles/keys.css';
import '../../styles/agents.css';

const words = texts.agents;
const NEW = 'new';

export function AgentsPage() {
  const { keys, agents, usage, all } = useCallers();
  const integrations = useResource('integrations', fetchIntegrations);
  const isMaking = useLocation().query.get(NEW) !== null;
  // The key is in no cache: when the person leaves the page, it is gone.
  const [made, setMade] = useState<MadeKey>();
  const search = useListSearch();
  const isPersonalOnly = all?.length === 1 && all[0]?.technique === 'personal';
  const found = all && findMatches(all, search.query, ({ name, actor }) => `${name} ${actor}`);

  function show({ key, ...row }: MadeKey): void {
    setQuery({ [NEW]: '' });
    setMade({ key, ...row });
    keys.change((known) => [row, ...known]);
  }

  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <button type="button" class="button" onClick={() => setQuery({ [NEW]: 'key' })}>
            {agentPagesTexts.makeKey}
          </button>
          <Link href="/clients" class="button button-primary">
            {agentPagesTexts.add}
          </Link>
        </>
      }
    >
      <nav class="page-links" aria-label={words.parts}>
        {(['rules', 'sets', 'scripts', 'events'] as const).map((part) => (
          <Link key={part} href={`/${part}`}>
            {words[part]}
          </Link>
        ))}
      </nav>
      <NotLoaded of={[keys, agents]} />
      {isMaking && <NewKey onMade={show} onCancel={() => setQuery({ [NEW]: '' })} />}
      {made !== undefined && <MadeKeyPanel made={made} onDone={() => setMade(undefined)} />}
      {all === undefined && keys.error === undefined && agents.error === undefined && (
        <Skeleton rows={6} kind="cards" />
      )}
      {all?.length === 0 && !isMaking && (
        <Empty icon="agents" title={agentPagesTexts.noneTitle} lead={agentPagesTexts.noneLead}>
          <Link href="/clients" class="button button-primary">
            {agentPagesTexts.add}
          </Link>
        </Empty>
      )}
      {found && (
        <SearchableRows words={words} search={search} all={all?.length ?? 0} class="cards callers">
          {found.map((caller) => (
            <CallerCard
              key={caller.actor}
              caller={caller}
              usage={usage.data}
              integrations={integrations.data}
            />
          ))}
        </SearchableRows>
      )}
      {isPersonalOnly && !isMaking && (
        <Empty icon="agents" title={agentPagesTexts.othersTitle} lead={agentPagesTexts.noneLead}>
          <Link href="/clients" class="button">
            {agentPagesTexts.add}
          </Link>
        </Empty>
      )}
    </Page>
  );
}
