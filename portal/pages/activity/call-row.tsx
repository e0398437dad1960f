// Renders a call in one line: its time, outcome, tool, agent, account, duration and error.
import type { AuditEntry } from '../../api/audit.ts';
import { duration } from '../../parts/amounts.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Link } from '../../router/link.tsx';
import { setQuery } from '../../router/location.ts';
import { teamTexts } from '../../texts/team.ts';
import { texts } from '../../texts/texts.ts';
import { nameOfAgent } from './agents.ts';
import { errorOf } from './error-of.ts';

const words = texts.activity;

interface Props {
  entry: AuditEntry;
  /** The integration's display name. */
  of: string;
  /** The part of a long list that the row belongs to. */
  part?: number;
}

export function CallRow({ entry, of, part }: Props) {
  const { id, tool, duration_ms, created_at, user, owner, account } = entry;
  const outcome = outcomeOf(entry);
  const error = errorOf(entry, of);
  return (
    <li class="call" data-part={part}>
      <span class="call-when">
        <RelativeTime at={created_at} />
      </span>
      <span class="call-outcome">
        <Lamp colour={colourOf(outcome)}>{words[outcome]}</Lamp>
      </span>
      <p class="call-what">
        <Link href={`/activity/${id}`} class="call-tool">
          {tool}
        </Link>{' '}
        <span class="call-where">{of}</span>
      </p>
      <span class="call-agent">
        {user && <Who user={user} />}
        <span>{nameOfAgent(entry, user !== undefined)}</span>
      </span>
      <span class="call-account">{owner === 'team' ? teamTexts.ofTeam : account}</span>
      <span class="call-duration">
        <span class="visually-hidden">{words.columns.duration} </span>
        {duration(duration_ms)}
      </span>
      <span class="call-error" title={error}>
        {error}
      </span>
    </li>
  );
}

/** Stands above a link that covers the row. */
function Who({ user: { id, email } }: { user: NonNullable<AuditEntry['user']> }) {
  const name = email ?? words.somebodyGone;
  return (
    <button
      type="button"
      class="link-button call-who"
      aria-label={words.only(name)}
      onClick={() => setQuery({ person: id })}
    >
      {name}
    </button>
  );
}
