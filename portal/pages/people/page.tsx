// Lists the people of the gateway for administrators, and invites more.
import { useRef, useState } from 'preact/hooks';
import { fetchPeople, type PeoplePage as Found, type Person } from '../../api/people.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useLocation } from '../../router/location.ts';
import { useSession } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { useSearch } from '../../state/use-search.ts';
import { peopleTexts as words } from '../../texts/people.ts';
import { texts } from '../../texts/texts.ts';
import { AdministratorsOnly, isForbidden } from './administrators-only.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { InvitedPanel } from './invited-panel.tsx';
import { PersonRow } from './person-row.tsx';
import '../../styles/people.css';

export function PeoplePage() {
  // The list follows the address, which changes once the person stops typing.
  const wanted = (useLocation().query.get('q') ?? '').trim();
  const [query, search] = useSearch();
  const people = useResource(`people ${wanted}`, () => fetchPeople(wanted));
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Person>();

  if (isForbidden(people.error)) return <AdministratorsOnly title={texts.nav.people} />;
  return (
    <Page
      title={texts.nav.people}
      lead={words.lead}
      actions={
        <button type="button" class="button button-primary" onClick={() => setInviting(true)}>
          <Icon name="add" />
          {words.invite.label}
        </button>
      }
    >
      {invited && (
        <InvitedPanel
          key={invited.id}
          email={invited.email}
          isMailed={'mailed' in invited}
          onDone={() => setInvited(undefined)}
        />
      )}
      <NotLoaded of={[people]} />
      <PeopleList people={people} wanted={wanted} query={query} onSearch={search} />
      {inviting && (
        <InviteDialog
          onInvited={(person) => {
            setInvited(person);
            people.reload();
          }}
          onClose={() => setInviting(false)}
        />
      )}
    </Page>
  );
}

interface ListProps {
  people: Resource<Found>;
  /** The search that the gateway has answered. */
  wanted: string;
  /** What the field holds. */
  query: string;
  onSearch: (query: string) => void;
}

function PeopleList({ people, wanted, query, onSearch }: ListProps) {
  const { me } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const { people: found, nextCursor } = people.data ?? {};

  async function more(cursor: string): Promise<void> {
    const next = await fetchPeople(wanted, cursor);
    people.change((now) =>
      now.nextCursor === cursor ? { ...next, people: [...now.people, ...next.people] } : now,
    );
  }

  return (
    <>
      <div class="list-search">
        <SearchField label={words.search} value={query} onChange={onSearch} field={field} />
        {found !== undefined && (
          <p class="muted" role="status">
            {(nextCursor === undefined ? words.count : words.firstOfMore)(found.length)}
          </p>
        )}
      </div>
      {found === undefined && people.error === undefined && <Skeleton rows={6} />}
      {found?.length === 0 && (
        <NoMatch title={words.noMatch(wanted)} field={field} onShowAll={() => onSearch('')} />
      )}
      {found !== undefined && found.length > 0 && (
        <ul class="rows people" aria-label={texts.nav.people}>
          {found.map((person) => (
            <PersonRow key={person.id} person={person} isMe={person.id === me.id} />
          ))}
        </ul>
      )}
      {nextCursor !== undefined && (
        <div class="more">
          <ActionButton label={words.more} onAct={() => more(nextCursor)} />
        </div>
      )}
    </>
  );
}
