// Lists the sets of the person and of the team, and makes new ones.
import { fetchSets, type ShownSet } from '../../api/sets.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Link } from '../../router/link.tsx';
import { navigate, setQuery, useLocation } from '../../router/location.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { findMatches } from '../../state/find.ts';
import { usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { setsTexts } from '../../texts/sets.ts';
import { texts } from '../../texts/texts.ts';
import { addressOfSet } from './address.ts';
import { NewSet } from './new-set.tsx';
import '../../styles/keys.css';
import '../../styles/sets.css';

const words = setsTexts;
const NEW = 'new';

export function SetsPage() {
  const sets = useResource('sets', fetchSets);
  usePollOf(sets);
  const isMaking = useLocation().query.get(NEW) !== null;
  const search = useListSearch();
  const found =
    sets.data &&
    findMatches(sets.data, search.query, ({ name, title, tools }) => `${name} ${title} ${tools.join(' ')}`);
  const makeButton = (
    <button type="button" class="button button-primary" onClick={() => setQuery({ [NEW]: 'set' })}>
      <Icon name="add" />
      {words.make}
    </button>
  );
  const hasAny = sets.data !== undefined && sets.data.length > 0;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      before={<Back href="/agents" label={texts.agents.title} />}
      actions={hasAny && !isMaking && makeButton}
    >
      <NotLoaded of={[sets]} />
      {sets.data === undefined && sets.error === undefined && <Skeleton rows={3} />}
      {isMaking && (
        <NewSet onMade={(set) => navigate(addressOfSet(set))} onCancel={() => setQuery({ [NEW]: '' })} />
      )}
      {sets.data?.length === 0 && !isMaking && (
        <Empty icon="tools" title={words.noneTitle} lead={words.noneLead}>
          {makeButton}
        </Empty>
      )}
      {found && (
        <SearchableRows words={words} search={search} all={sets.data?.length ?? 0}>
          {found.map((set) => (
            <SetRow key={`${set.for} ${set.name}`} set={set} />
          ))}
        </SearchableRows>
      )}
    </Page>
  );
}

function SetRow({ set }: { set: ShownSet }) {
  const { title, description, tools, updatedAt, url } = set;
  return (
    <Row
      name={<Link href={addressOfSet(set)}>{title}</Link>}
      heading="h2"
      id={url}
      facts={
        <>
          <span>{words.tools(tools.length)}</span>
          {set.for === 'everyone' && <Lamp colour="off">{words.ofTeam}</Lamp>}
          <span>
            {words.updated} <RelativeTime at={updatedAt} />
          </span>
        </>
      }
    >
      {description !== '' && <p class="muted">{description}</p>}
    </Row>
  );
}
