// Says which keys and clients of the person have used a set, and when.
import type { DetailedSet } from '../../api/sets.ts';
import { LastUse } from '../../parts/last-use.tsx';
import { setsTexts } from '../../texts/sets.ts';
import { nameOfAgent } from '../activity/agents.ts';

const words = setsTexts;

export function SetUses({ uses }: Pick<DetailedSet, 'uses'>) {
  return (
    <section class="section" aria-labelledby="set-uses">
      <h2 id="set-uses" class="section-title">
        {words.one.uses}
      </h2>
      {uses.length === 0 ? (
        <p class="muted">{words.one.noUses}</p>
      ) : (
        <ul class="rows set-uses">
          {uses.map(({ caller, name, lastUsedAt }) => (
            <li key={caller}>
              <span>{nameOfAgent({ actor: caller, client_name: name }, false)}</span>
              <span class="muted">
                <LastUse words={words} at={lastUsedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
