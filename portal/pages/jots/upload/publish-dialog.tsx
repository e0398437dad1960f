// Asks for the name and the readers of a jot, publishes it, and shows how far that is.
import { useEffect, useState } from 'preact/hooks';
import { ConnectFieldRow } from '../../../connect/connect-field.tsx';
import { binarySize } from '../../../parts/amounts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { type Problem, problemOf } from '../../../parts/error-notice.tsx';
import { Form } from '../../../parts/form.tsx';
import { useWork } from '../../../parts/use-work.ts';
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
  const [nameProblem, setNameProblem] = useState('');
  const { progress, publish, cancel } = usePublish();
  const { busy, problem, setProblem, run } = useWork(describeProblem);
  const isVersion = jot !== undefined || known.includes(name);
  // Closing the dialog cancels what it has begun.
  useEffect(() => cancel, []);

  function submit(): void {
    setProblem();
    setNameProblem(JOT_NAME.test(name) ? '' : words.nameWrong);
    if (JOT_NAME.test(name)) void run(send);
  }

  async function send(): Promise<void> {
    const { access, password } = settings;
    const wanted = isVersion ? {} : { access, ...(access === 'password' ? { password } : {}) };
    if (!(await publish(name, site, wanted))) return setProblem({ message: words.cancelled });
    close();
    onPublished(name);
  }

  return (
    <Form
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={words.submit}
      onSubmit={submit}
      onCancel={busy ? cancel : close}
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
    </Form>
  );
}

function describeProblem(error: unknown): Problem {
  return error instanceof SiteProblem ? { message: error.message } : problemOf(error);
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
