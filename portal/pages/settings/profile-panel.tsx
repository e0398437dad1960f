// Says who is signed in, since when they are here, and what they may do.
import type { Myself } from '../../api/people.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { peopleTexts } from '../../texts/people.ts';

const words = peopleTexts.settings;

interface Props {
  email: string;
  myself: Myself | undefined;
  isLoading: boolean;
}

export function ProfilePanel({ email, myself, isLoading }: Props) {
  return (
    <section class="panel" aria-labelledby="profile">
      <h2 id="profile">{words.profileTitle}</h2>
      {myself === undefined && isLoading && <Skeleton rows={2} />}
      {myself && (
        <dl class="profile">
          <div>
            <dt>{words.email}</dt>
            <dd>{email}</dd>
          </div>
          <div>
            <dt>{words.role}</dt>
            <dd>
              <strong>{peopleTexts.roles[myself.role]}</strong>
              <p class="muted">{peopleTexts.rolesAbout[myself.role]}</p>
            </dd>
          </div>
          <div>
            <dt>{words.since}</dt>
            <dd>
              <RelativeTime at={myself.createdAt} />
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}
