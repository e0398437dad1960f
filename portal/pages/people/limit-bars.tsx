// Shows the limits of a person as bars: what is used, and how much may be used.
import type { UsedLimit } from '../../api/people.ts';
import { binarySize } from '../../parts/amounts.ts';
import { peopleTexts } from '../../texts/people.ts';

const words = peopleTexts.limits;
const BYTES: ReadonlySet<UsedLimit['name']> = new Set(['results', 'fileBytes', 'jotBytes', 'questionBytes']);
/** From here on, a bar warns. */
const NEARLY_FULL = 0.9;

export function LimitBars({ limits }: { limits: readonly UsedLimit[] }) {
  return (
    <ul class="limits">
      {limits.map((limit) => (
        <li key={limit.name} class="limit">
          <span class="limit-name">{words[limit.name]}</span>
          <span class="limit-used">{describe(limit)}</span>
          {limit.limit !== null && limit.used !== null && (
            <Bar name={words[limit.name]} used={limit.used} limit={limit.limit} said={describe(limit)} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Bar({ name, used, limit, said }: { name: string; used: number; limit: number; said: string }) {
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  return (
    <span
      class={share >= NEARLY_FULL ? 'limit-bar limit-bar-full' : 'limit-bar'}
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={said}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function describe({ name, used, limit }: UsedLimit): string {
  const show = (count: number) => (BYTES.has(name) ? binarySize(count) : count.toLocaleString('en'));
  if (limit === null) return used === null ? words.none : words.unlimited(show(used));
  return used === null ? words.unknown(show(limit)) : words.of(show(used), show(limit));
}
