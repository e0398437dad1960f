// Shows what is seen only once: a secret, and the address that it belongs to.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Once } from '../../parts/once.tsx';
import { eventsTexts } from '../../texts/events.ts';

const words = eventsTexts.made;

interface Props {
  title: string;
  lead?: string;
  address?: string | undefined;
  secret?: string | undefined;
  /** What is left to do. */
  next?: string | undefined;
  onDone: () => void;
}

export function SecretPanel({ title, lead = words.once, address, secret, next, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // The pressed button has just disappeared.
  useLayoutEffect(() => queueMicrotask(() => heading.current?.focus()), []);
  return (
    <section class="panel made-key" aria-labelledby={`${id}-title`}>
      <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {(address !== undefined || secret !== undefined) && <p class="muted">{lead}</p>}
      {address !== undefined && <Once label={words.address} value={address} />}
      {secret !== undefined && <Once label={words.secret} value={secret} />}
      {next !== undefined && <p>{next}</p>}
      <p>
        <button type="button" class="button" onClick={onDone}>
          {words.done}
        </button>
      </p>
    </section>
  );
}
