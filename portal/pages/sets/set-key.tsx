// Makes a key that may call the tools of one set and nothing else, and shows it once.
import { useState } from 'preact/hooks';
import { type MadeKey, makeNamedKey } from '../../api/agent-keys.ts';
import type { ShownSet } from '../../api/sets.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { setsTexts } from '../../texts/sets.ts';
import { MadeKeyPanel } from '../agents/made-key.tsx';

const words = setsTexts.one.key;

export function SetKey({ set }: { set: Pick<ShownSet, 'name' | 'title'> }) {
  // The key is in no cache: when the person leaves the page, it is gone.
  const [made, setMade] = useState<MadeKey>();
  return (
    <section class="section" aria-labelledby="set-key">
      <h2 id="set-key" class="section-title">
        {words.title}
      </h2>
      {made === undefined ? (
        <div class="set-key">
          <p class="muted">{words.lead}</p>
          <ActionButton
            label={words.make}
            onAct={async () => setMade(await makeNamedKey({ name: words.named(set.title), set: set.name }))}
          />
        </div>
      ) : (
        <MadeKeyPanel made={made} onDone={() => setMade(undefined)} />
      )}
    </section>
  );
}
