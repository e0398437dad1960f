// Shows a new key once, with the lines that give it to a client.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MadeKey } from '../../api/agent-keys.ts';
import { Chips } from '../../parts/chips.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import { claudeCode, cursorFile, listCurl, vsCodeLine } from '../clients/recipes.ts';
import { HIDDEN_KEY } from '../clients/with-key.ts';

const words = keysTexts.made;
const { claudeCode: claude, cursor, vsCode, curl } = texts.clients;

const CLIENTS = [
  { value: 'claude-code', label: claude.name, line: claudeCode },
  { value: 'cursor', label: cursor.name, line: cursorFile },
  { value: 'vs-code', label: vsCode.name, line: vsCodeLine },
  { value: 'curl', label: curl.name, line: listCurl },
] as const;

interface Props {
  made: MadeKey;
  onDone: () => void;
}

export function MadeKeyPanel({ made: { key, name, set }, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState<string>(CLIENTS[0].value);
  const { value, line } = CLIENTS.find((client) => client.value === chosen) ?? CLIENTS[0];
  // The form with the pressed button has just disappeared.
  useLayoutEffect(() => heading.current?.focus(), []);

  return (
    <section class="panel made-key" aria-labelledby="made-key">
      <h2 ref={heading} id="made-key" tabIndex={-1}>
        {words.title(name)}
      </h2>
      <p class="muted">{words.once}</p>
      <div class="made-key-line">
        <input
          class="key"
          readOnly
          aria-label={words.field(name)}
          value={key}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={() => key} of={words.field(name)} />
      </div>
      <div class="made-key-use">
        <h3>{words.use}</h3>
        <Chips label={words.client} choices={CLIENTS} chosen={value} onChoose={setChosen} />
        <p>{words.line[value]}</p>
        <CodeBlock
          code={line(location.origin, HIDDEN_KEY, set)}
          label={words.line[value]}
          copy={() => line(location.origin, key, set)}
        />
        <p class="muted">{words.hidden}</p>
      </div>
      <p>
        <button type="button" class="button" onClick={onDone}>
          {words.done}
        </button>
      </p>
    </section>
  );
}
