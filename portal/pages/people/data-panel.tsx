// Exports the data of a person, and deletes the person. It serves administrators and people themselves.
import { useState } from 'preact/hooks';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { download } from '../../parts/download.ts';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { DeleteDialog } from './delete-dialog.tsx';

const words = peopleTexts.data;

interface Props {
  email: string;
  title: string;
  lead: string;
  isOwn: boolean;
  onExport: () => Promise<string>;
  onDelete: () => Promise<void>;
  /** False once the deletion has begun. */
  canDelete: boolean;
}

export function DataPanel({ email, title, lead, isOwn, onExport, onDelete, canDelete }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [deleting, setDeleting] = useState(false);
  const deleteLabel = isOwn ? words.deleteOwn : words.delete;

  async function save(): Promise<void> {
    const file = `${email.replace(/[^\w.@+-]/g, '_')}.json`;
    download(file, await onExport(), 'application/json');
    setOutcome({ words: words.exported(file) });
  }

  return (
    <section class="panel panel-line" aria-labelledby="data">
      <div>
        <h2 id="data">{title}</h2>
        <p class="muted">{lead}</p>
        <OutcomeLine outcome={outcome} />
      </div>
      <div class="row">
        <ConfirmButton
          label={words.export}
          title={isOwn ? words.exportTitleOwn : words.exportTitle(email)}
          confirmLabel={words.exportDo}
          loses={false}
          onConfirm={save}
        >
          <p>{words.exportEffect}</p>
          <p>{isOwn ? words.exportCareOwn : words.exportCare}</p>
        </ConfirmButton>
        {canDelete && (
          <button type="button" class="button" onClick={() => setDeleting(true)}>
            {deleteLabel}
          </button>
        )}
      </div>
      {deleting && (
        <DeleteDialog
          title={isOwn ? words.deleteTitleOwn : words.deleteTitle(email)}
          email={email}
          label={deleteLabel}
          onDelete={onDelete}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteEffect}</p>
          <p>{words.deleteKept}</p>
          <p class="dialog-warning">{isOwn ? words.deleteSignsOut : words.deleteFinal}</p>
        </DeleteDialog>
      )}
    </section>
  );
}
