// Renders a named key: what it may do, when it was made and used, and a button that deletes it.
import type { NamedKey } from '../../api/agent-keys.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
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
  const removeButton = (
    <ConfirmButton
      label={words.remove}
      named={words.removeOf(name)}
      title={words.removeTitle(name)}
      onConfirm={onRemove}
    >
      <p>{words.removeEffect(name)}</p>
      <p>{words.removeLeft}</p>
    </ConfirmButton>
  );
  return (
    <Row
      name={name}
      heading="h2"
      facts={
        <>
          <span>
            {words.created} <RelativeTime at={createdAt} />
          </span>
          <LastUse words={words} at={lastUsedAt} />
        </>
      }
      actions={removeButton}
    >
      <LimitFacts limits={named} nameOf={nameOf} />
    </Row>
  );
}
