// Asks for the name and the readers of a jot, publishes it, and shows how far that is.
import { useEffect, useState } from 'preact/hooks';
import { ConnectFieldRow } from '../../../connect/connect-field.tsx';
import { binarySize } from '../../../parts/amounts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { ErrorNotice, explain } from '../../../parts/error-notice.tsx';
import { texts } from '../../../texts/texts.ts';
import { AccessFields } from '../settings/access-fields.tsx';
import { type Site, SiteProblem } from './site.ts';
import { type Progress, usePublish } from './use-publish.ts';

const words = texts.jots.publish;
const JOT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

interface Props {
  site: Site;
  jot: string | undefined;
  known: readonly string[];
  onPublished: (name: string) => void;
  onClose: () => void;
}

export function PublishDialog({ onClose, ...rest }: Props) {
  const title = rest.jot === undefined ? words.title : words.titleVersion(rest.jot);
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => <PublishForm {...rest} close={close} />}
    </Dialog>
  );
}

function PublishForm({
  site,
  jot,
  known,
  onPublished,
  close,
}: Omit<Props, 'onClose'> & { close: () => void }) {
  const [name, setName] = useState(jot ?? site.name);
  const [settings, setSettings] = useState<{ access: 'public' | 'password'; password: string }>({
    access: 'public',
    password: '',
  });
  const [problem, setProblem] = useState('');
  const [nameProblem, setNameProblem] = useState('');
  const { progress, publish, cancel } = usePublish();
  const isVersion = jot !== undefined || known.includes(name);
  const busy = progress.state !== 'idle';
  // Closing the dialog cancels what it has begun.
  useEffect(() => cancel, []);

  async function submit(): Promise<void> {
    if (busy) return;
    setProblem('');
    setNameProblem(JOT_NAME.test(name) ? '' : words.nameWrong);
    if (!JOT_NAME.test(name)) return;
    const { access, password } = settings;
    const wanted = isVersion ? {} : { access, ...(access === 'password' ? { password } : {}) };
    try {
      if (!(await publish(name, site, wanted))) return setProblem(words.cancelled);
      close();
      onPublished(name);
    } catch (error) {
      setProblem(error instanceof SiteProblem ? error.message : explain(error));
    }
  }

  return (
    <form
      class="connect-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p>
        {words.found(site.files.length, binarySize(site.bytes))}
        {site.skipped.length > 0 && <span class="muted"> · {words.skipped(site.skipped.join(', '))}</span>}
      </p>
      {jot === undefined && (
        <ConnectFieldRow
          field={{ key: 'name', kind: 'text', label: words.name, required: true, help: words.nameHelp }}
          value={name}
          problem={nameProblem}
          onChange={setName}
        />
      )}
      {isVersion ? (
        <p class="muted">{jot === undefined ? words.replaces(name) : words.keeps}</p>
      ) : (
        <AccessFields {...settings} wasLocked={false} problem="" onChange={setSettings} />
      )}
      <Sending progress={progress} />
      {problem !== '' && <ErrorNotice message={problem} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={busy ? cancel : close}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {words.submit}
        </button>
      </div>
    </form>
  );
}

function Sending({ progress }: { progress: Progress }) {
  const label = sentence(progress);
  return (
    <div class="publish-progress">
      <p role="status">{label}</p>
      {progress.state === 'sending' && (
        <progress class="file-progress" aria-label={label} max={progress.all} value={progress.sent} />
      )}
    </div>
  );
}

function sentence(progress: Progress): string {
  switch (progress.state) {
    case 'idle':
      return '';
    case 'packing':
      return words.packing;
    case 'sending':
      return progress.sent >= progress.all
        ? words.storing
        : words.sending(binarySize(progress.sent), binarySize(progress.all));
  }
}
