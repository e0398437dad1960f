// Chooses the imported servers whose prompts and resources a set has, and shows the prompts that wait for a look.
import { useState } from 'preact/hooks';
import { fetchImports } from '../../api/imports.ts';
import { changeSet, checkPrompts, type CheckedPrompts, type DetailedSet } from '../../api/sets.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useResource } from '../../state/use-resource.ts';
import { setsTexts } from '../../texts/sets.ts';

const words = setsTexts.servers;

interface Props {
  set: DetailedSet;
  canChange: boolean;
  onChanged: () => void;
}

export function SetServers({ set, canChange, onChanged }: Props) {
  const imports = useResource('imports', fetchImports).data?.imports ?? [];
  const { busy, problem, run } = useWork();
  const offered = imports.filter(
    ({ kind, for: whose }) => kind === 'mcp' && (set.for === 'me' || whose === 'everyone'),
  );
  const names = [...new Set([...offered.map(({ name }) => name), ...set.servers.map((each) => each.import)])];
  if (names.length === 0) return null;

  const serverOf = (name: string) =>
    set.servers.find((each) => each.import === name) ?? { import: name, prompts: false, resources: false };

  function choose(name: string, change: { prompts?: boolean; resources?: boolean }): void {
    const others = set.servers.filter((each) => each.import !== name);
    void run(async () => {
      await changeSet(set, { servers: [...others, { ...serverOf(name), ...change }] });
      onChanged();
    });
  }

  return (
    <section class="section" aria-labelledby="set-servers">
      <h2 id="set-servers" class="section-title">
        {words.title}
      </h2>
      <p class="muted">{words.lead}</p>
      <ul class="rows" aria-labelledby="set-servers">
        {names.map((name) => {
          const server = serverOf(name);
          const prompts = set.prompts.filter((each) => each.import === name);
          return (
            <li key={name} class="set-tool">
              <div class="set-tool-words">
                <h3>{offered.find((each) => each.name === name)?.displayName ?? name}</h3>
                {(['prompts', 'resources'] as const).map((what) => (
                  <label key={what} class="check">
                    <input
                      type="checkbox"
                      checked={server[what]}
                      disabled={!canChange || busy}
                      aria-label={words.of(words[what], name)}
                      onChange={({ currentTarget }) => choose(name, { [what]: currentTarget.checked })}
                    />{' '}
                    {words[what]}
                  </label>
                ))}
                {prompts.length > 0 && <p class="muted">{prompts.map((each) => each.name).join(', ')}</p>}
                {canChange && server.prompts && <Changes set={set} name={name} onChanged={onChanged} />}
              </div>
            </li>
          );
        })}
      </ul>
      {problem !== undefined && (
        <p role="alert" class="connect-problem">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Looks at the server again when somebody asks. */
function Changes({ set, name, onChanged }: Omit<Props, 'canChange'> & { name: string }) {
  const [checked, setChecked] = useState<CheckedPrompts>();
  const waiting = checked?.prompts.filter(({ state }) => state !== 'accepted') ?? [];
  return (
    <>
      <ActionButton
        label={words.check}
        named={words.checkOf(name)}
        onAct={async () => setChecked(await checkPrompts(set, { import: name }))}
      />
      {checked !== undefined && waiting.length === 0 && <p role="status">{words.same}</p>}
      {waiting.length > 0 && (
        <>
          <ul>
            {waiting.map(({ name: prompt, state, description, before }) => (
              <li key={prompt}>
                <Lamp colour="amber">{words.states[state]}</Lamp> {prompt}
                {before?.description !== undefined && <p class="muted">{words.before(before.description)}</p>}
                {description !== undefined && <p>{description}</p>}
              </li>
            ))}
          </ul>
          <ActionButton
            label={words.accept}
            named={words.acceptOf(name)}
            onAct={async () => {
              setChecked(await checkPrompts(set, { import: name, accept: checked?.digest ?? '' }));
              onChanged();
            }}
          />
        </>
      )}
    </>
  );
}
