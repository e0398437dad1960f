// Says in a row what a key or an application may do.
import type { Limits } from '../../api/agents.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { describeLimits, formatDay, isOver } from './describe-limits.ts';

interface Props {
  limits: Limits;
  nameOf: (integration: string) => string;
}

export function LimitFacts({ limits, nameOf }: Props) {
  return (
    <p class="limit-facts">
      {describeLimits(limits, nameOf).join(' · ')}
      {isOver(limits) && <Lamp colour="red">{keysTexts.limits.ended(formatDay(limits.expiresAt ?? 0))}</Lamp>}
    </p>
  );
}
