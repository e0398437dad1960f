// Shows a person: access, role, what the person has here, limits and data.
import {
  changePerson,
  deletePerson,
  exportPerson,
  type Myself,
  type Person,
  type PersonInFull,
} from '../../api/people.ts';
import { Link } from '../../router/link.tsx';
import { useSession } from '../../session/session.ts';
import { changeKept, forThisPerson } from '../../state/cache.ts';
import { MYSELF } from '../../state/use-myself.ts';
import { peopleTexts } from '../../texts/people.ts';
import { AccessPanel } from './access-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { Holdings } from './holdings.tsx';
import { LimitBars } from './limit-bars.tsx';
import { PersonFacts } from './person-facts.tsx';
import { RolePanel } from './role-panel.tsx';

const words = peopleTexts.person;

interface Props {
  person: PersonInFull;
  onChange: (now: Partial<Person>) => void;
}

export function OnePerson({ person, onChange }: Props) {
  const { id, email, status } = person;
  const { me } = useSession();
  const isMe = id === me.id;
  const isDeleting = status === 'deleting';

  async function change(wanted: { role?: Person['role']; disabled?: boolean }): Promise<void> {
    const store = forThisPerson((now: Person) => {
      onChange(now);
      // The navigation has the links of the new role from now on.
      if (isMe) changeKept(MYSELF, (known) => ({ ...(known as Myself), role: now.role }));
    });
    store(await changePerson(id, wanted));
  }

  return (
    <>
      <p class="muted person-line">
        <PersonFacts person={person} isMe={isMe} />
        <Link href={`/activity?of=everybody&person=${encodeURIComponent(id)}`}>{words.activity}</Link>
      </p>
      {isMe ? (
        <section class="panel panel-line">
          <div>
            <p>{words.ownAccount}</p>
          </div>
          <Link href="/settings" class="button">
            {words.toAccount}
          </Link>
        </section>
      ) : (
        <AccessPanel person={person} onDisable={(disabled) => change({ disabled })} />
      )}
      {!isDeleting && <RolePanel person={person} onChange={(role) => change({ role })} />}
      <Holdings person={person} />
      <section class="panel" aria-labelledby="limits">
        <h2 id="limits">{peopleTexts.settings.limitsTitle}</h2>
        <p class="muted">{peopleTexts.settings.limitsOf}</p>
        <LimitBars limits={person.limits} />
      </section>
      {!isMe && (
        <DataPanel
          email={email}
          title={words.dataTitle}
          lead={isDeleting ? peopleTexts.data.deleting(email) : words.dataLead}
          isOwn={false}
          canDelete={!isDeleting}
          onExport={() => exportPerson(id)}
          onDelete={async () => {
            const store = forThisPerson(onChange);
            await deletePerson(id);
            store({ status: 'deleting' });
          }}
        />
      )}
    </>
  );
}
