// Says where an import comes from and when it was last checked, and lets the person check, change or delete it.
import { useState } from 'preact/hooks';
import { type Checked, checkImport, deleteImport } from '../../api/import-changes.ts';
import type { ImportEntry } from '../../api/imports.ts';
import { hasNothing } from '../../connect/state.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { navigate } from '../../router/location.ts';
import { keep } from '../../state/cache.ts';
import { forgetLists } from '../../state/use-imports.ts';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';
import { EditForm } from './edit-form.tsx';
import { changesOf, namesOf } from './review.tsx';
import '../../styles/imports.css';
import '../../styles/integration.css';

const words = importsTexts.source;

interface Props {
  entry: ImportEntry;
  onChange: (entry: ImportEntry) => void;
  /** Loads the entry again, because a check answers only what waits. */
  onChecked: () => void;
}

export function SourcePanel({ entry, onChange, onChecked }: Props) {
  const { name, displayName, editable, tools } = entry;
  const lost = tools.filter(({ included, state }) => included && state !== 'new' && state !== 'gone').length;
  const [isEditing, setEditing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  async function check(): Promise<void> {
    setOutcome(undefined);
    try {
      const found = await checkImport(name);
      keep(changesOf(name), found);
      setOutcome({ words: describeCheck(entry, found) });
    } finally {
      // Also a failed check changes what the page says about the source.
      onChecked();
    }
  }

  return (
    <section class="panel import-panel" aria-labelledby="source">
      <div class="panel-line">
        <div>
          <h2 id="source">{words.title}</h2>
          <SourceFacts entry={entry} />
          <OutcomeLine outcome={outcome} />
        </div>
        {editable && !isEditing && (
          <div class="row import-actions">
            <ActionButton label={words.check} onAct={check} />
            <button type="button" class="button" onClick={() => setEditing(true)}>
              {words.edit}
            </button>
            <ConfirmButton
              label={words.remove}
              title={words.removeTitle(displayName)}
              onConfirm={async () => {
                await deleteImport(name);
                forgetLists();
                navigate('/');
              }}
            >
              <p class="dialog-warning">{words.removeEffect[entry.for](displayName)}</p>
              {lost > 0 && <p>{words.removeTools(lost)}</p>}
              <p>{words.removeLeft}</p>
            </ConfirmButton>
          </div>
        )}
      </div>
      {!editable && <p class="muted">{words.readOnly}</p>}
      {isEditing && (
        <EditForm
          entry={entry}
          onSaved={(now) => {
            setEditing(false);
            setOutcome({ words: words.saved, takesFocus: true });
            onChange(now);
          }}
          onCancel={() => setEditing(false)}
        />
      )}
    </section>
  );
}

/** Counts only what was chosen. A new tool is, unless somebody has named the only tools that they want. */
function describeCheck({ tools, include }: ImportEntry, found: Checked): string {
  const isIncluded = new Map(tools.map(({ name, included }) => [name, included]));
  const count = namesOf(found).filter((name) => isIncluded.get(name) ?? include === null).length;
  return count === 0 ? words.checked0 : words.checkedSome(count);
}

function SourceFacts({ entry }: { entry: ImportEntry }) {
  const { address, base, kind, auth, createdAt, checkedAt, checkError } = entry;
  return (
    <>
      <dl class="import-facts">
        <div>
          <dt>{texts.integrations.kinds[kind]}</dt>
          <dd>{address === null ? words.uploaded : <code>{address}</code>}</dd>
        </div>
        {base !== undefined && (
          <div>
            <dt>{words.base}</dt>
            <dd>
              <code>{base}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{words.connect}</dt>
          <dd>{importsTexts.way.kinds[auth.type].name}</dd>
        </div>
        <div>
          <dt>{words.added}</dt>
          <dd>
            <RelativeTime at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>{words.checked}</dt>
          <dd>{checkedAt === null ? words.never : <RelativeTime at={checkedAt} />}</dd>
        </div>
      </dl>
      {checkError !== null && (
        <div class="import-check-error">
          <Lamp colour={hasNothing(entry) ? 'red' : 'amber'}>{words.failed}</Lamp>
          <LongText text={checkError} class="connection-cause" />
        </div>
      )}
    </>
  );
}
