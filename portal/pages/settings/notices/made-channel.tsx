// Shows the secret of a new webhook once.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { MadeChannel } from '../../../api/notices.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { noticesTexts } from '../../../texts/notices.ts';

const words = noticesTexts.made;

export function MadeChannelPanel({
  made: { name, secret = '' },
  onDone,
}: {
  made: MadeChannel;
  onDone: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // The form with the pressed button has just disappeared.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel made-key" aria-labelledby="made-channel">
      <h2 ref={heading} id="made-channel" tabIndex={-1}>
        {words.title(name)}
      </h2>
      <p class="muted">{words.once}</p>
      <div class="notices-secret">
        <label for={id}>{words.secret}</label>
        <div class="made-key-line">
          <input
            id={id}
            class="key"
            readOnly
            value={secret}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={() => secret} of={words.secret} />
        </div>
      </div>
      <p>
        <button type="button" class="button" onClick={onDone}>
          {words.done}
        </button>
      </p>
    </section>
  );
}
