// Shows a saved script: its code and its versions, and what can be done with it.
import { useState } from 'preact/hooks';
import { deleteScript, type DetailedScript, fetchScript, shareScript } from '../../api/scripts.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate, useLocation } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { scriptsTexts } from '../../texts/scripts.ts';
import { MarkedCode } from './marked-code.tsx';
import '../../styles/scripts.css';

const words = scriptsTexts.script;

export function ScriptPage({ params }: PageProps) {
  const name = params['name'] ?? '';
  const whose = useLocation().query.get('for');
  const script = useResource(`script ${whose ?? ''} ${name}`, () => fetchScript(name, whose));
  usePollOf(script);
  const [outcome, setOutcome] = useState<Outcome>();
  const { data, error } = script;
  const back = <Back href="/scripts" label={scriptsTexts.back} />;

  if (error?.status === 404)
    return (
      <Page title={words.missingTitle} lead={words.missingLead} before={back}>
        <Link href="/scripts" class="button">
          {words.goBack}
        </Link>
      </Page>
    );
  return (
    <Page
      title={name}
      tabTitle={name}
      lead={data === undefined || data.description === '' ? undefined : data.description}
      before={back}
      actions={
        data && (
          <>
            <Link href={`/tools?tool=${encodeURIComponent(data.tool)}`} class="button button-primary">
              {words.tryIt}
            </Link>
            {data.for === 'me' && data.shared === null && (
              <ActionButton
                label={words.share}
                onAct={async () => {
                  await shareScript(name);
                  setOutcome({ words: words.offered, takesFocus: true });
                  script.reload();
                }}
              />
            )}
          </>
        )
      }
    >
      <NotLoaded of={[script]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      <OutcomeLine outcome={outcome} />
      {data && <Parts script={data} />}
    </Page>
  );
}

function Parts({ script }: { script: DetailedScript }) {
  const isAdministrator = useIsAdministrator();
  const { args, code, createdAt, name, shared, tool, version, versions } = script;
  return (
    <>
      <section class="panel" aria-label={tool}>
        <p class="agent-id">{tool}</p>
        <p class="muted agent-facts">
          <span>{scriptsTexts.version(version)}</span>
          {script.for === 'everyone' && <Lamp colour="off">{scriptsTexts.ofTeam}</Lamp>}
          {script.for === 'me' && shared !== null && (
            <Lamp colour={shared === 'pending' ? 'amber' : 'green'}>{scriptsTexts.shared[shared]}</Lamp>
          )}
          <span>
            {scriptsTexts.saw} <RelativeTime at={createdAt} />
          </span>
        </p>
      </section>
      <section class="section" aria-label={words.code}>
        <h2 class="section-title">{words.code}</h2>
        <MarkedCode code={code} label={words.code} />
      </section>
      {args !== null && (
        <section class="section" aria-label={words.input}>
          <h2 class="section-title">{words.input}</h2>
          <CodeBlock code={JSON.stringify(args, null, 2)} label={words.input} />
        </section>
      )}
      {versions.length > 1 && (
        <section class="section" aria-label={words.versions}>
          <h2 class="section-title">{words.versions}</h2>
          {versions.slice(1).map((each) => (
            <details key={each.version} class="script-version">
              <summary>
                {scriptsTexts.version(each.version)}, <RelativeTime at={each.createdAt} />
              </summary>
              <MarkedCode code={each.code} label={scriptsTexts.version(each.version)} />
            </details>
          ))}
        </section>
      )}
      {(script.for === 'me' || isAdministrator) && (
        <div class="section">
          <ConfirmButton
            quiet
            label={words.remove}
            title={words.removeTitle(name)}
            onConfirm={async () => {
              await deleteScript(script);
              navigate('/scripts');
            }}
          >
            <p>{words.removeEffect}</p>
          </ConfirmButton>
        </div>
      )}
    </>
  );
}
