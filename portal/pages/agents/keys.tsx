// Lists the keys that the person made for single agents, and makes and deletes them.
import { useState } from 'preact/hooks';
import { deleteNamedKey, type MadeKey, type NamedKey } from '../../api/agent-keys.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { setQuery, useLocation } from '../../router/location.ts';
import { findMatches } from '../../state/find.ts';
import { usePollOf } from '../../state/use-poll.ts';
import type { Resource } from '../../state/use-resource.ts';
import { keysTexts } from '../../texts/keys.ts';
import { KeyRow } from './key-row.tsx';
import { MadeKeyPanel } from './made-key.tsx';
import { NewKey } from './new-key.tsx';
import { useNameOf } from './use-name-of.ts';
import '../../styles/keys.css';

const words = keysTexts;
const NEW = 'new';

export function Keys({ keys }: { keys: Resource<NamedKey[]> }) {
  usePollOf(keys);
  const nameOf = useNameOf();
  const isMaking = useLocation().query.get(NEW) !== null;
  // The key is in no cache: when the person leaves the page, it is gone.
  const [made, setMade] = useState<MadeKey>();
  const search = useListSearch();
  const { query, removed, setRemoved } = search;
  const found = keys.data && findMatches(keys.data, query, ({ name }) => name).toSorted(newestFirst);

  function show({ key, ...row }: MadeKey): void {
    setQuery({ [NEW]: '' });
    setMade({ key, ...row });
    setRemoved();
    keys.change((all) => [row, ...all]);
  }

  async function remove({ id, name }: NamedKey, at: number): Promise<void> {
    await deleteNamedKey(id);
    keys.change((all) => all.filter((each) => each.id !== id));
    if (made?.id === id) setMade(undefined);
    setRemoved({ words: words.removed(name), takesFocus: true, at });
  }

  const makeButton = (
    <button type="button" class="button button-primary" onClick={() => setQuery({ [NEW]: 'key' })}>
      <Icon name="add" />
      {words.make}
    </button>
  );
  return (
    <div class="keys">
      <div class="keys-head">
        <p class="muted">{words.lead}</p>
        {!isMaking && keys.data !== undefined && keys.data.length > 0 && makeButton}
      </div>
      <NotLoaded of={[keys]} />
      {keys.data === undefined && keys.error === undefined && <Skeleton rows={3} />}
      {isMaking && <NewKey onMade={show} onCancel={() => setQuery({ [NEW]: '' })} />}
      {made !== undefined && <MadeKeyPanel made={made} onDone={() => setMade(undefined)} />}
      {keys.data?.length === 0 && !isMaking && removed === undefined && (
        <Empty title={words.noneTitle} lead={words.noneLead}>
          {makeButton}
        </Empty>
      )}
      {found && (
        <SearchableRows words={words} search={search} all={keys.data?.length ?? 0}>
          {found.map((each, at) => (
            <KeyRow key={each.id} of={each} nameOf={nameOf} onRemove={() => remove(each, at)} />
          ))}
        </SearchableRows>
      )}
    </div>
  );
}

function newestFirst(one: NamedKey, other: NamedKey): number {
  return other.createdAt - one.createdAt;
}
