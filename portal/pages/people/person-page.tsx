// Loads a person for administrators, and follows the deletion until the person is gone.
import { fetchPerson } from '../../api/people.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { usePoll } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { peopleTexts } from '../../texts/people.ts';
import { AdministratorsOnly, isForbidden } from './administrators-only.tsx';
import { OnePerson } from './one-person.tsx';
import { StatusLamp } from './status-lamp.tsx';
import '../../styles/people.css';

const words = peopleTexts.person;
const DELETING_POLL_MS = 2000;

export function PersonPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const person = useResource(`person ${id}`, () => fetchPerson(id));
  const { data, error } = person;
  const isDeleting = data?.status === 'deleting';
  const isGone = error?.status === 404;
  usePoll(isDeleting && !isGone, DELETING_POLL_MS, person.look);

  if (isForbidden(error)) return <AdministratorsOnly title={words.title} />;
  if (isGone) {
    return (
      <Page
        title={words.missingTitle}
        lead={isDeleting ? words.goneLead(data.email) : words.missingLead}
        before={<Back href="/people" label={peopleTexts.back} />}
      />
    );
  }
  return (
    <Page
      title={data?.email ?? words.title}
      lead={data && peopleTexts.roles[data.role]}
      before={<Back href="/people" label={peopleTexts.back} />}
      actions={data && <StatusLamp status={data.status} />}
    >
      <NotLoaded of={[person]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {data && (
        <OnePerson person={data} onChange={(now) => person.change((known) => ({ ...known, ...now }))} />
      )}
    </Page>
  );
}
