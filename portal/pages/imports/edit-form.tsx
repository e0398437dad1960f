// Edits how an import is called and how people connect it.
import { useState } from 'preact/hooks';
import { changeImport } from '../../api/import-changes.ts';
import type { ImportEntry } from '../../api/imports.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { useKept } from '../../state/use-kept.ts';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';
import { describeProblem, type Problem, ProblemNotice } from './problem.tsx';
import { draftOf, findProblem, givenAuth, needsClient, type WayDraft } from './way.ts';
import { WayFields } from './way-fields.tsx';

const words = importsTexts.source;

interface Props {
  entry: ImportEntry;
  onSaved: (entry: ImportEntry) => void;
  onCancel: () => void;
}

interface Draft {
  displayName: string;
  way: WayDraft;
}

export function EditForm({ entry, onSaved, onCancel }: Props) {
  const { name, displayName, kind, auth } = entry;
  const [kept, setDraft] = useKept<Draft | null>(`edit import ${name}`, null);
  const draft = kept ?? { displayName, way: draftOf(auth) };
  const [problem, setProblem] = useState({ name: '', way: '' });
  const [failure, setFailure] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const given = givenAuth(draft.way, auth, []);

  function edit(change: Partial<Draft>): void {
    setDraft({ ...draft, ...change });
    setProblem({ name: '', way: '' });
  }

  async function save(): Promise<void> {
    if (busy) return;
    const way = given === undefined ? '' : findProblem(draft.way, needsClient(kind, [auth]));
    const isNameless = draft.displayName.trim() === '';
    setProblem({ name: isNameless ? importsTexts.add.nameMissing : '', way });
    setFailure(undefined);
    if (isNameless || way !== '') return;
    setBusy(true);
    try {
      const now = await changeImport(name, {
        displayName: draft.displayName.trim(),
        ...(given === undefined ? {} : { auth: given }),
      });
      setDraft(null);
      onSaved(now);
    } catch (error) {
      setFailure(describeProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      class="import-edit"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <ConnectFieldRow
        field={{ key: 'displayName', kind: 'text', label: importsTexts.add.displayName, required: true }}
        value={draft.displayName}
        problem={problem.name}
        onChange={(value) => edit({ displayName: value })}
      />
      {auth.type !== 'values' && (
        <WayFields
          name={name}
          displayName={displayName}
          kind={kind}
          auth={auth}
          draft={draft.way}
          problem={problem.way}
          isStored
          onChange={(way) => edit({ way })}
        />
      )}
      {given !== undefined && <p class="notice">{words.wayWarning(displayName)}</p>}
      {failure !== undefined && <ProblemNotice problem={failure} />}
      <div class="dialog-actions">
        <button
          type="button"
          class="button"
          onClick={() => {
            setDraft(null);
            onCancel();
          }}
        >
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {words.save}
        </button>
      </div>
    </form>
  );
}
