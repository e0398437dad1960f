// Shows owners what the log of the start tells the operator.
import { peopleTexts } from '../texts/people.ts';
import { Lamp } from './lamp.tsx';

export function Notices({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <section class="panel notices" aria-labelledby="notices">
      <h2 id="notices">{peopleTexts.settings.noticesTitle}</h2>
      {notices.map((notice) => (
        <p key={notice}>
          <Lamp colour="amber">{notice}</Lamp>
        </p>
      ))}
    </section>
  );
}
