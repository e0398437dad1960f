// Exports and imports the browser session of an integration that needs one. reference: Cookie sessions
import { useState } from 'preact/hooks';
import { exportSession } from '../../api/connect.ts';
import type { WithState } from '../../connect/state.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { download } from '../../parts/download.ts';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.integration;

interface Props {
  integration: WithState;
  onImport: (integration: WithState) => void;
}

export function SessionPanel({ integration, onImport }: Props) {
  const { name, displayName } = integration;
  const [outcome, setOutcome] = useState<Outcome>();

  async function save(): Promise<void> {
    const file = `${name}-session.json`;
    download(file, await exportSession(name), 'application/json');
    setOutcome({ words: words.sessionExported(file) });
  }

  return (
    <section class="panel panel-line" aria-labelledby="session">
      <div>
        <h2 id="session">{words.session}</h2>
        <p class="muted">{words.sessionAbout(displayName)}</p>
        <OutcomeLine outcome={outcome} />
      </div>
      <div class="row">
        <ConfirmButton
          label={words.sessionExport}
          title={words.sessionExportTitle(displayName)}
          confirmLabel={words.sessionExportDo}
          loses={false}
          onConfirm={save}
        >
          <p>{words.sessionExportEffect(displayName)}</p>
          <p>{words.sessionExportLeft}</p>
        </ConfirmButton>
        <button type="button" class="button" onClick={() => onImport(integration)}>
          {words.sessionImport}
        </button>
      </div>
    </section>
  );
}
