// Shows one jot: its picture and facts, its versions and its files.
import { useState } from 'preact/hooks';
import {
  changeJot,
  deleteJot,
  fetchJot,
  type JotChange,
  type JotPage as OneJot,
  rollBackJot,
} from '../../api/jots.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { usePoll, usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { JotFacts } from './jot-facts.tsx';
import { JotFiles } from './jot-files.tsx';
import { JotSettings } from './settings/jot-settings.tsx';
import { JotVersions } from './jot-versions.tsx';
import { awaitsPicture, PICTURE_POLL_MS, withSettings } from './pictures.ts';
import { PublishArea } from './upload/publish-area.tsx';
import '../../styles/jots.css';

const words = texts.jots;

export function JotPage({ params }: PageProps) {
  const name = params['name'] ?? '';
  const jot = useResource(`jot ${name}`, () => fetchJot(name));
  usePollOf(jot);
  usePoll(jot.data !== undefined && awaitsPicture(jot.data), PICTURE_POLL_MS, jot.look);
  const [outcome, setOutcome] = useState<Outcome>();
  const { data, error } = jot;

  if (error?.status === 404)
    return (
      <Page
        title={words.one.missingTitle}
        lead={words.one.missingLead}
        before={<Back href="/jots" label={words.back} />}
      >
        <Link href="/jots" class="button">
          {words.one.goBack}
        </Link>
      </Page>
    );

  async function change(wished: JotChange): Promise<void> {
    const now = await changeJot(name, wished);
    jot.change((known) => withSettings(known, now));
    setOutcome({ words: words.saved(name) });
  }

  async function rollBack(version: number, current: number): Promise<void> {
    try {
      await rollBackJot(name, version, current);
      setOutcome({ words: words.one.rolledBack(version), takesFocus: true });
    } finally {
      jot.reload();
    }
  }

  return (
    <Page
      title={name}
      tabTitle={name}
      before={<Back href="/jots" label={words.back} />}
      actions={data && <Actions jot={data} onChange={change} />}
    >
      <NotLoaded of={[jot]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {data && (
        <>
          <JotFacts jot={data} />
          <OutcomeLine outcome={outcome} />
          <PublishArea
            jot={name}
            known={[name]}
            onPublished={() => {
              setOutcome({ words: words.publish.done(name), takesFocus: true });
              jot.reload();
            }}
          />
          <JotVersions jot={data} onRollBack={rollBack} />
          <JotFiles jot={data} />
          <div class="section">
            <ConfirmButton
              quiet
              label={words.remove}
              named={words.removeOf(name)}
              title={words.removeTitle(name)}
              onConfirm={async () => {
                await deleteJot(name);
                navigate('/jots');
              }}
            >
              <p>{words.removeEffect}</p>
              <p>{words.removeLeft}</p>
            </ConfirmButton>
          </div>
        </>
      )}
    </Page>
  );
}

function Actions({ jot, onChange }: { jot: OneJot; onChange: (change: JotChange) => Promise<void> }) {
  const [changing, setChanging] = useState(false);
  /** The error of a save whose dialog the person closed before it ended. */
  const [lateProblem, setLateProblem] = useState('');
  return (
    <div class="row">
      <OutsideLink href={jot.url} class="button">
        {words.open}
      </OutsideLink>
      <CopyButton label={words.copyLink} text={() => jot.url} of={jot.name} />
      <button
        type="button"
        class="button"
        onClick={() => {
          setLateProblem('');
          setChanging(true);
        }}
      >
        {words.settings}
      </button>
      {lateProblem !== '' && <ErrorNotice message={lateProblem} />}
      {changing && (
        <JotSettings
          jot={jot}
          onSave={onChange}
          onLateProblem={setLateProblem}
          onClose={() => setChanging(false)}
        />
      )}
    </div>
  );
}
