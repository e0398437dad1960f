// Renders a jot: its name, link, access and size, and the actions on it.
import { useState } from 'preact/hooks';
import type { Jot, JotChange } from '../../api/jots.ts';
import { size } from '../../parts/amounts.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { Thumbnail } from './thumbnail.tsx';
import { JotSettings } from './settings/jot-settings.tsx';

const words = texts.jots;

interface Props {
  jot: Jot;
  /** The outcome of the last change of this jot. */
  outcome: Outcome | undefined;
  onChange: (change: JotChange) => Promise<void>;
  onRemove: () => Promise<void>;
}

export function JotRow({ jot, outcome, onChange, onRemove }: Props) {
  const { name, url, access, cors, files, bytes, updatedAt, views } = jot;
  const [changing, setChanging] = useState(false);
  /** The error of a save whose dialog the person closed before it ended. */
  const [lateProblem, setLateProblem] = useState('');

  function openSettings(): void {
    setLateProblem('');
    setChanging(true);
  }

  return (
    <li class="jot">
      <Thumbnail jot={jot} />
      <div class="jot-words">
        <h2>
          <Link href={`/jots/${name}`}>{name}</Link>
        </h2>
        <p class="jot-address">
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </p>
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
          <span>
            {words.views(views.total)}
            {views.total > 0 && `, ${words.recentViews(views.recent)}`}
          </span>
          {cors && access === 'public' && <span>{words.cors}</span>}
        </p>
        <OutcomeLine outcome={outcome} />
        {lateProblem !== '' && <ErrorNotice message={lateProblem} />}
      </div>
      <div class="row jot-actions">
        <CopyButton label={words.copyLink} text={() => url} of={name} />
        <button type="button" class="button" aria-label={words.settingsOf(name)} onClick={openSettings}>
          {words.settings}
        </button>
        <ConfirmButton
          quiet
          label={words.remove}
          named={words.removeOf(name)}
          title={words.removeTitle(name)}
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
