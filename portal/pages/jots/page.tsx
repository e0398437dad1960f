// Lists the person's jots, publishes new ones, and changes or deletes them.
import { useState } from 'preact/hooks';
import {
  changeJot,
  deleteJot,
  fetchJots,
  type Jot,
  type JotChange,
  type JotSummary,
} from '../../api/jots.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Page } from '../../shell/page.tsx';
import { findMatches } from '../../state/find.ts';
import { usePoll, usePollOfList } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import '../../styles/jots.css';
import { JotRow } from './jot-row.tsx';
import { NoJots } from './no-jots.tsx';
import { awaitsPicture, PICTURE_POLL_MS, withSettings } from './pictures.ts';
import { PublishArea } from './upload/publish-area.tsx';
import { undoOf } from './settings/change.ts';

const words = texts.jots;

export function JotsPage() {
  const jots = useResource('jots', fetchJots);
  usePollOfList(jots);
  const [changed, setChanged] = useState<Outcome & { name: string }>();
  const [published, setPublished] = useState<Outcome>();
  const search = useListSearch();
  const { query, setRemoved } = search;
  const found = jots.data && findMatches(jots.data, query, (jot) => searched(jot, query));

  usePoll(jots.data?.some(awaitsPicture) === true, PICTURE_POLL_MS, jots.look);

  function put(now: JotSummary): void {
    jots.change((all) => all.map((jot) => (jot.name === now.name ? withSettings(jot, now) : jot)));
  }

  async function change(before: Jot, wished: JotChange): Promise<void> {
    const { name } = before;
    put(await changeJot(name, wished));
    const back = undoOf(before, wished);
    if (back === null) return setChanged({ name, words: words.saved(name) });
    const undo = async () => {
      put(await changeJot(name, back));
      setChanged({ name, words: words.undone(name), takesFocus: true });
    };
    setChanged({ name, words: words.saved(name), undo });
  }

  async function remove({ name }: Jot, at: number): Promise<void> {
    await deleteJot(name);
    jots.change((all) => all.filter((jot) => jot.name !== name));
    setRemoved({ words: words.removed(name), takesFocus: true, at });
  }

  return (
    <Page title={words.title} lead={words.lead}>
      <NotLoaded of={[jots]} />
      {jots.data === undefined && jots.error === undefined && <Skeleton rows={3} />}
      {jots.data && (
        <>
          <PublishArea
            known={jots.data.map(({ name }) => name)}
            onPublished={(name) => {
              setPublished({ words: words.publish.done(name), takesFocus: true });
              jots.reload();
            }}
          />
          <OutcomeLine outcome={published} />
        </>
      )}
      {jots.data?.length === 0 && <NoJots />}
      {found && (
        <SearchableRows words={words} search={search} all={jots.data?.length ?? 0}>
          {found.map((jot, at) => (
            <JotRow
              key={jot.name}
              jot={jot}
              outcome={changed?.name === jot.name ? changed : undefined}
              onChange={(wished) => change(jot, wished)}
              onRemove={() => remove(jot, at)}
            />
          ))}
        </SearchableRows>
      )}
    </Page>
  );
}

// A pasted link is compared with the whole address. A word is not, because the gateway's name is in every address.
function searched({ name, url }: Jot, query: string): string {
  return query.includes('/') ? url : name;
}
