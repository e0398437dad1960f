// One jot: its name and link, who can see it, how big it is, and what can be done with it.
import { useState } from 'preact/hooks';
import type { Jot, JotChange } from '../../api/types.ts';
import { size } from '../../parts/amounts.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { type Happened, Said } from '../../parts/said.tsx';
import { texts } from '../../texts/texts.ts';
import { JotSettings } from './jot-settings.tsx';

const words = texts.jots;

interface Props {
  jot: Jot;
  /** What came of the last change of this one. */
  said: Happened | undefined;
  onChange: (change: JotChange) => Promise<void>;
  onRemove: () => Promise<void>;
}

export function JotRow({ jot, said, onChange, onRemove }: Props) {
  const { name, url, access, cors, files, bytes, updatedAt } = jot;
  const [changing, setChanging] = useState(false);
  /** Of what was saved, and not waited for. */
  const [lateProblem, setLateProblem] = useState('');

  function openSettings(): void {
    setLateProblem('');
    setChanging(true);
  }

  return (
    <li class="jot">
      <div class="jot-words">
        <h2>
          <a href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        </h2>
        <p class="jot-address">{url}</p>
        <p class="muted jot-facts">
          <span class="jot-access">
            <Icon name={access === 'public' ? 'globe' : 'lock'} />
            {words.access[access]}
          </span>
          <span>
            {words.files(files)}, {size(bytes)}
          </span>
          <span>
            {words.updated} <RelativeTime at={updatedAt} />
          </span>
          {cors && access === 'public' && <span>{words.cors}</span>}
        </p>
        <Said happened={said} />
        {lateProblem !== '' && <Failed message={lateProblem} />}
      </div>
      <div class="row jot-actions">
        <CopyButton label={words.copyLink} text={() => url} of={name} />
        <button type="button" class="button" aria-label={words.settingsOf(name)} onClick={openSettings}>
          {words.settings}
        </button>
        <ConfirmButton
          label={words.remove}
          named={words.removeOf(name)}
          title={words.removeTitle(name)}
          confirmLabel={words.remove}
          onConfirm={onRemove}
        >
          <p>{words.removeEffect}</p>
          <p>{words.removeLeft}</p>
        </ConfirmButton>
      </div>
      {changing && (
        <JotSettings
          jot={jot}
          onSave={onChange}
          onLateProblem={setLateProblem}
          onClose={() => setChanging(false)}
        />
      )}
    </li>
  );
}
