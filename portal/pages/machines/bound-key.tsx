// Says with which named key a machine acts, and what the key may do.
import type { BoundKey } from '../../api/machines.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { Link } from '../../router/link.tsx';
import { machinesTexts } from '../../texts/machines.ts';
import { describeLimits } from '../agents/describe-limits.ts';
import { useNameOf } from '../agents/use-name-of.ts';

const words = machinesTexts.key;

export function BoundKeyLine({ of: { name, mine, owner, limits } }: { of: BoundKey }) {
  const nameOf = useNameOf();
  if (name === null)
    return (
      <p class="machine-key">
        <Lamp colour="red">{words.ended}</Lamp>
      </p>
    );
  return (
    <p class="machine-key">
      <span>
        {words.actsWith} {mine ? <Link href="/agents?show=keys">{name}</Link> : <strong>{name}</strong>}
      </span>
      <span class="muted">{describeLimits(limits, nameOf).join(' · ')}</span>
      {!mine && owner !== null && <span class="muted">{words.ofOther(owner)}</span>}
    </p>
  );
}
