// Renders a call in one line: who called, what it did, how it ended unless it went well, and how long it took.
import type { AuditEntry } from '../../api/audit.ts';
import type { Integration } from '../../api/integrations.ts';
import { AgentMark } from '../../parts/agent-mark.tsx';
import { duration } from '../../parts/amounts.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Logo } from '../../parts/logo.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { Link } from '../../router/link.tsx';
import { setQuery } from '../../router/location.ts';
import { teamTexts } from '../../texts/team.ts';
import { texts } from '../../texts/texts.ts';
import { nameOfAgent } from './agents.ts';
import { errorOf } from './error-of.ts';

const words = texts.activity;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const whole = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

interface Props {
  entry: AuditEntry;
  integrations: readonly Integration[] | undefined;
  /** The part of a long list that the row belongs to. */
  part?: number;
  /** The place of the row in the list, and the length of the list or -1. */
  place?: { at: number; of: number };
  isOpen?: boolean;
  /** Opens the call beside the list. Returns false where the call is a page. */
  onOpen?: (id: number) => boolean;
  /** The keyboard has come to the row. */
  onReach?: ((id: number) => void) | undefined;
}

export function CallRow({ entry, integrations, part, place, isOpen = false, onOpen, onReach }: Props) {
  const { id, tool, integration, subject, duration_ms, created_at, user, owner, account, client_name } =
    entry;
  const outcome = outcomeOf(entry);
  const of = displayNameOf(integration, integrations);
  const error = errorOf(entry, of);
  const agent = nameOfAgent(entry, user !== undefined);
  const moment = new Date(created_at * 1000);
  const where = owner === 'team' ? teamTexts.ofTeam : account;
  return (
    <li
      class="call"
      data-part={part}
      data-row
      {...(place === undefined ? {} : { 'aria-posinset': place.at, 'aria-setsize': place.of })}
    >
      <time class="call-when" dateTime={moment.toISOString()} title={whole.format(moment)}>
        <span aria-hidden="true">{clock.format(moment)}</span>
        <span class="visually-hidden">{whole.format(moment)}</span>
      </time>
      <span class="call-agent" title={agent}>
        {entry.actor === 'session' || entry.actor === 'key' ? (
          <span class="logo logo-letter">
            <Icon name={entry.actor === 'key' ? 'lock' : 'person'} />
          </span>
        ) : (
          <AgentMark name={client_name ?? agent} />
        )}
        <span class="visually-hidden">{agent}</span>
      </span>
      <p class="call-what">
        <Logo src={integrations?.find(({ name }) => name === integration)?.logo ?? null} name={of} />
        <span class="call-words">
          <Link
            href={`/activity/${id}`}
            class="call-tool"
            title={tool}
            data-call={id}
            aria-current={isOpen ? 'true' : undefined}
            onClickCapture={(event: MouseEvent) => {
              const plain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
              if (plain && event.button === 0 && onOpen?.(id) === true) event.preventDefault();
            }}
            onFocus={() => onReach?.(id)}
          >
            {toolWords(tool, integration)}
          </Link>
          {subject !== undefined && <bdi class="call-subject">{subject}</bdi>}
          <span class="call-where">
            {of}
            {where !== undefined && ` · ${where}`}
          </span>
        </span>
      </p>
      {outcome !== 'succeeded' && (
        <span class="call-outcome">
          <Lamp colour={colourOf(outcome)}>{words[outcome]}</Lamp>
          {error !== undefined && (
            <span class="call-error" title={error.raw}>
              {error.short}
            </span>
          )}
        </span>
      )}
      {user && <Who user={user} />}
      <span class="call-duration">
        <span class="visually-hidden">{words.duration} </span>
        {duration(duration_ms)}
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
