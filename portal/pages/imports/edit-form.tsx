// Edits how an import is called and how people connect it.
import { useState } from 'preact/hooks';
import { changeImport } from '../../api/import-changes.ts';
import type { ImportEntry } from '../../api/imports.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useKept } from '../../state/use-kept.ts';
import { importsTexts } from '../../texts/imports.ts';
import { describeProblem } from './problem.ts';
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
  /** Seconds, as they are typed; empty for the default. */
  timeoutSec: string;
  way: WayDraft;
}

export function EditForm({ entry, onSaved, onCancel }: Props) {
  const { name, displayName, kind, auth } = entry;
  const [kept, setDraft] = useKept<Draft | null>(`edit import ${name}`, null);
  const draft = kept ?? { displayName, timeoutSec: String(entry.timeoutSec ?? ''), way: draftOf(auth) };
  const [wrong, setWrong] = useState({ name: '', timeoutSec: '', way: '' });
  const { busy, problem, setProblem, run } = useWork(describeProblem);
  const given = givenAuth(draft.way, auth, []);

  function edit(change: Partial<Draft>): void {
    setDraft({ ...draft, ...change });
    setWrong({ name: '', timeoutSec: '', way: '' });
  }

  function save(): void {
    const way = given === undefined ? '' : findProblem(draft.way, needsClient(kind, [auth]));
    const isNameless = draft.displayName.trim() === '';
    const timeoutSec = isTimeout(draft.timeoutSec) ? '' : words.timeoutWrong;
    setWrong({ name: isNameless ? importsTexts.add.nameMissing : '', timeoutSec, way });
    setProblem();
    if (isNameless || timeoutSec !== '' || way !== '') return;
    void run(async () => {
      const now = await changeImport(name, {
        displayName: draft.displayName.trim(),
        ...(timeoutOf(draft) === (entry.timeoutSec ?? null) ? {} : { timeoutSec: timeoutOf(draft) }),
        ...(given === undefined ? {} : { auth: given }),
      });
      setDraft(null);
      onSaved(now);
    });
  }

  return (
    <Form
      class="import-edit"
      busy={busy}
      problem={problem}
      submitLabel={words.save}
      onSubmit={save}
      onCancel={() => {
        setDraft(null);
        onCancel();
      }}
    >
      <ConnectFieldRow
        field={{ key: 'displayName', kind: 'text', label: importsTexts.add.displayName, required: true }}
        value={draft.displayName}
        problem={wrong.name}
        onChange={(value) => edit({ displayName: value })}
      />
      <ConnectFieldRow
        field={{
          key: 'timeoutSec',
          kind: 'text',
          label: words.timeout,
          required: false,
          help: words.timeoutHelp(kind),
        }}
        value={draft.timeoutSec}
        problem={wrong.timeoutSec}
        onChange={(value) => edit({ timeoutSec: value })}
      />
      {auth.type !== 'values' && (
        <WayFields
          name={name}
          displayName={displayName}
          kind={kind}
          auth={auth}
          draft={draft.way}
          problem={wrong.way}
          isStored
          onChange={(way) => edit({ way })}
        />
      )}
      {given !== undefined && <p class="notice">{words.wayWarning(displayName)}</p>}
    </Form>
  );
}

const MAX_TIMEOUT = 300;

/** Null is the default. */
const timeoutOf = ({ timeoutSec }: Draft): number | null =>
  timeoutSec.trim() === '' ? null : Number(timeoutSec);

function isTimeout(text: string): boolean {
  const seconds = Number(text);
  return text.trim() === '' || (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT);
}
