// Lets an administrator choose between the own calls and those of everybody, and one person among them.
import { fetchPeople } from '../../api/people.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { Chips } from '../../parts/chips.tsx';
import { namePerson } from '../../parts/person-of-call.ts';
import { setQuery } from '../../router/location.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.activity;
const CHOICES = [
  { value: '', label: words.mine },
  { value: 'everybody', label: words.everybody },
];

export function Whose({ of }: { of: '' | 'everybody' }) {
  return (
    <Chips
      label={words.whose}
      choices={CHOICES}
      chosen={of}
      onChoose={(chosen) => setQuery({ of: chosen, person: '' })}
    />
  );
}

interface Props {
  chosen: string;
  /** The calls on the page, which may name people that the list of people does not. */
  entries: readonly AuditEntry[];
}

/** The list has the first page of people. The name in a row chooses everyone else. */
export function PersonFilter({ chosen, entries }: Props) {
  const people = useResource('people ', () => fetchPeople(''));
  const known = new Map(people.data?.people.map(({ id, email }) => [id, email]));
  if (chosen !== '' && !known.has(chosen)) known.set(chosen, emailIn(entries, chosen));
  return (
    <label class="field">
      <span>{words.person}</span>
      <select value={chosen} onChange={({ currentTarget }) => setQuery({ person: currentTarget.value })}>
        <option value="">{words.anyPerson}</option>
        {[...known].map(([id, email]) => (
          <option key={id} value={id}>
            {namePerson(email)}
          </option>
        ))}
      </select>
    </label>
  );
}

function emailIn(entries: readonly AuditEntry[], id: string): string {
  return entries.find(({ user }) => user?.id === id)?.user?.email ?? words.somebodyGone;
}
