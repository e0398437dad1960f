// Renders a named key: what it may do, when it was made and used, and a button that deletes it.
import type { NamedKey } from '../../api/agent-keys.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { LimitFacts } from './limit-facts.tsx';

const words = keysTexts;

interface Props {
  of: NamedKey;
  nameOf: (integration: string) => string;
  onRemove: () => Promise<void>;
}

export function KeyRow({ of: named, nameOf, onRemove }: Props) {
  const { name, createdAt, lastUsedAt } = named;
  return (
    <li class="agent">
      <div class="agent-words">
        <h2>{name}</h2>
        <LimitFacts limits={named} nameOf={nameOf} />
        <p class="muted agent-facts">
          <span>
            {words.created} <RelativeTime at={createdAt} />
          </span>
          <LastUse at={lastUsedAt} />
        </p>
      </div>
      <ConfirmButton
        label={words.remove}
        named={words.removeOf(name)}
        title={words.removeTitle(name)}
        confirmLabel={words.remove}
        onConfirm={onRemove}
      >
        <p>{words.removeEffect(name)}</p>
        <p>{words.removeLeft}</p>
      </ConfirmButton>
    </li>
  );
}

export function LastUse({ at }: { at: number | null }) {
  if (at === null) return <span>{words.neverUsed}</span>;
  return (
    <span>
      {words.lastUsed} <RelativeTime at={at} />
    </span>
  );
}
