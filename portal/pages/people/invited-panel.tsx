// Says that a person is invited, with the address to send to them.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { fetchProviders } from '../../api/auth.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useResource } from '../../state/use-resource.ts';
import { peopleTexts } from '../../texts/people.ts';

const words = peopleTexts.invite;

export function InvitedPanel({
  email,
  isMailed,
  onDone,
}: {
  email: string;
  isMailed: boolean;
  onDone: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const providers = useResource('providers', fetchProviders);
  const hasNone = providers.data?.length === 0;
  const address = `${location.origin}/`;
  // The dialog with the pressed button has just closed, and gives the focus back first.
  useLayoutEffect(() => queueMicrotask(() => heading.current?.focus()), []);
  return (
    <section class="panel invited" aria-labelledby="invited">
      <h2 ref={heading} id="invited" tabIndex={-1}>
        {words.doneTitle(email)}
      </h2>
      <p class="muted">{hasNone ? words.noProvider : isMailed ? words.mailed : words.done}</p>
      {hasNone ? (
        <CodeBlock code={words.noProviderCommand(email)} label={words.noProviderCommand(email)} />
      ) : (
        <div class="invited-line">
          <input
            class="mono"
            readOnly
            aria-label={words.link}
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={() => address} of={words.link} />
        </div>
      )}
      <p>
        <button type="button" class="button" onClick={onDone}>
          {words.close}
        </button>
      </p>
    </section>
  );
}
