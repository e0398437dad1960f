// Shows the secret of a new client once, with the line that gets a token.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MadeMachineClient } from '../../api/machines.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Once } from '../../parts/once.tsx';
import { machinesTexts } from '../../texts/machines.ts';

const words = machinesTexts.clients;

interface Props {
  made: MadeMachineClient;
  onDone: () => void;
}

export function MadeClientPanel({ made: { clientId, clientSecret, name }, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form with the pressed button has just disappeared.
  useLayoutEffect(() => heading.current?.focus(), []);
  const line = (secret: string) =>
    `curl -s -u '${clientId}:${secret}' -d grant_type=client_credentials ${location.origin}/token`;

  return (
    <section class="panel made-key" aria-labelledby="made-client">
      <h2 ref={heading} id="made-client" tabIndex={-1}>
        {words.made(name)}
      </h2>
      <p class="muted">{clientSecret === undefined ? words.withoutSecret : words.once}</p>
      <Once label={words.id} value={clientId} />
      {clientSecret !== undefined && (
        <>
          <Once label={words.secret} value={clientSecret} />
          <div class="made-key-use">
            <h3>{words.line}</h3>
            <CodeBlock code={line('••••••••')} label={words.line} copy={() => line(clientSecret)} />
          </div>
        </>
      )}
      <p>
        <button type="button" class="button" onClick={onDone}>
          {words.done}
        </button>
      </p>
    </section>
  );
}
