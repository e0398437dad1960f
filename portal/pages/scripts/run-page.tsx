// Shows one run: its calls on a time line, its code, and what it logged and returned.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type DetailedRun, fetchRun, runAgain } from '../../api/scripts.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { LIVE_MS, usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { scriptsTexts } from '../../texts/scripts.ts';
import { addressOfRun, addressOfScript } from './address.ts';
import { MarkedCode } from './marked-code.tsx';
import { RunLamp } from './run-lamp.tsx';
import { SaveScript } from './save-script.tsx';
import { TimeLine } from './time-line.tsx';
import '../../styles/scripts.css';

const words = scriptsTexts.run;

export function RunPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const run = useResource(`script run ${id}`, () => fetchRun(id));
  usePollOf(run, LIVE_MS);
  const [isSaving, setSaving] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { data, error } = run;
  const back = <Back href="/scripts" label={scriptsTexts.back} />;

  if (error?.status === 404)
    return (
      <Page title={words.missingTitle} lead={words.missingLead} before={back}>
        <Link href="/scripts" class="button">
          {scriptsTexts.script.goBack}
        </Link>
      </Page>
    );

  async function again(): Promise<void> {
    const { script, message } = await runAgain(id);
    if (script !== undefined) return navigate(addressOfRun(script.run));
    setOutcome({ words: message ?? '', isBad: true, takesFocus: true });
  }

  return (
    <Page
      title={data?.script ?? words.title}
      before={back}
      actions={
        data && (
          <div class="row">
            {data.script === null && !isSaving && (
              <button type="button" class="button" onClick={() => setSaving(true)}>
                {words.save}
              </button>
            )}
            <ActionButton label={words.again} primary={data.state !== 'waiting'} onAct={again} />
          </div>
        )
      }
    >
      <NotLoaded of={[run]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      <OutcomeLine outcome={outcome} />
      {data && isSaving && (
        <SaveScript
          code={data.code}
          onSaved={(script) => navigate(addressOfScript(script))}
          onCancel={() => setSaving(false)}
        />
      )}
      {data && <Parts run={data} />}
    </Page>
  );
}

function Parts({ run }: { run: DetailedRun }) {
  return (
    <>
      <section class="panel" aria-label={words.facts}>
        <p class="muted agent-facts">
          <RunLamp state={run.state} />
          {run.version !== null && <span>{scriptsTexts.version(run.version)}</span>}
          <span>{scriptsTexts.calls(run.timeline.length)}</span>
          {run.callerName !== null && <span>{words.by(run.callerName)}</span>}
          <RelativeTime at={run.createdAt} />
        </p>
        {run.error !== null && <FailureLine error={run.error} of={words.ofScript} />}
      </section>
      <Part title={words.timeLine}>
        {run.timeline.length === 0 ? (
          <p class="muted">{words.noCalls}</p>
        ) : (
          <>
            <p class="muted">{words.timeLineLead}</p>
            <TimeLine calls={run.timeline} />
          </>
        )}
      </Part>
      <Part title={words.code}>
        <MarkedCode code={run.code} label={words.code} mark={markOf(run)} />
      </Part>
      {run.result !== undefined && (
        <Part title={words.result}>
          <CodeBlock code={JSON.stringify(run.result, null, 2)} label={words.result} />
        </Part>
      )}
      {run.log !== '' && (
        <Part title={words.log}>
          <CodeBlock code={run.log} label={words.log} />
        </Part>
      )}
      {run.input !== null && (
        <Part title={words.input}>
          <CodeBlock code={JSON.stringify(run.input, null, 2)} label={words.input} />
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section" aria-label={title}>
      <h2 class="section-title">{title}</h2>
      {children}
    </section>
  );
}

/** The line that the error names, or that of the call that failed last or waits. */
function markOf({ state, error, timeline }: DetailedRun) {
  const isBad = state === 'failed';
  if (!isBad && state !== 'waiting') return undefined;
  const named = /\bline (\d+)/.exec(error ?? '')?.[1];
  const call = timeline.findLast((each) => each.state === (isBad ? 'error' : 'waiting'));
  const line = named === undefined ? (call?.line ?? null) : Number(named);
  return line === null ? undefined : { line, isBad, said: isBad ? words.failedHere : words.waitsHere };
}
