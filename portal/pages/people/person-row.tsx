// Renders a person in the list: address, role, status, last use, and what they have here.
import type { Person } from '../../api/people.ts';
import { Link } from '../../router/link.tsx';
import { peopleTexts as words } from '../../texts/people.ts';
import { PersonFacts } from './person-facts.tsx';
import { StatusLamp } from './status-lamp.tsx';

export function PersonRow({ person, isMe }: { person: Person; isMe: boolean }) {
  const { id, email, role, status, connections, agents, keys } = person;
  return (
    <li class="person">
      <Link href={`/people/${encodeURIComponent(id)}`} class="person-link">
        <span class="account-initials" aria-hidden="true">
          {email.slice(0, 2).toUpperCase()}
        </span>
        <span class="person-words">
          <span class="person-name">
            {breakable(email)}
            {isMe && <span class="mark-word">{words.you}</span>}
          </span>
          <span class="person-facts">
            <PersonFacts person={person} isMe={isMe} />
          </span>
        </span>
        <span class="person-role">{words.roles[role]}</span>
        <span class="person-status">
          <StatusLamp status={status} />
        </span>
        <span class="person-counts">
          {[words.connections(connections), words.agents(agents), words.keys(keys)].map((count) => (
            <span key={count}>{count}</span>
          ))}
        </span>
      </Link>
    </li>
  );
}

/** A long address breaks at its dots, and not within a word. */
function breakable(email: string) {
  return email.split(/(?<=[.@])/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}
