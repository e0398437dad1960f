// Shows what is seen only once: a secret, and the address that it belongs to.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../../parts/copy-button.tsx';
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

function Once({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div class="event-once">
      <label for={id}>{label}</label>
      <div class="made-key-line">
        <input id={id} class="key" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={() => value} of={label} />
      </div>
    </div>
  );
}
