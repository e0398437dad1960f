// Says when a person signed in and called a tool.
import type { Person } from '../../api/people.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { peopleTexts as words } from '../../texts/people.ts';

/** The gateway does not note who opens it by a link, so it does not know when the person themselves did. */
export function PersonFacts({ person, isMe }: { person: Person; isMe: boolean }) {
  const { status, createdAt, signedInAt, calledAt } = person;
  const since = status === 'invited' ? words.invitedSince : words.since;
  return (
    <>
      <span>
        {since} <RelativeTime at={createdAt} />
      </span>
      {status !== 'invited' && (
        <>
          <Moment
            words={words.signedIn}
            never={isMe ? words.signedInByLink : words.neverSignedIn}
            at={signedInAt}
          />
          <Moment words={words.called} never={words.neverCalled} at={calledAt} />
        </>
      )}
    </>
  );
}

function Moment({ words: what, never, at }: { words: string; never: string; at: number | undefined }) {
  if (at === undefined) return <span>{never}</span>;
  return (
    <span>
      {what} <RelativeTime at={at} />
    </span>
  );
}
