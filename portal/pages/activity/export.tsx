// Downloads the calls that the filters choose.
import { type AuditFormat, exportAudit } from '../../api/audit.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { download } from '../../parts/download.ts';
import { texts } from '../../texts/texts.ts';
import { type Choice, filterOf } from './choice.ts';

const words = texts.activity;
const FORMATS: readonly AuditFormat[] = ['csv', 'ndjson'];

/** The failures view exports the failed calls alone. */
export function Export({ choice }: { choice: Choice }) {
  return (
    <div class="export" role="group" aria-labelledby="export">
      <span id="export" class="muted">
        {words.export}
      </span>
      {FORMATS.map((format) => (
        <ActionButton
          key={format}
          label={words.exportAs[format]}
          onAct={async () => {
            const file = await exportAudit(
              choice.isGrouped ? { ...filterOf(choice), success: 'false' } : filterOf(choice),
              format,
            );
            download(`audit.${format}`, file, file.type);
          }}
        />
      ))}
    </div>
  );
}
