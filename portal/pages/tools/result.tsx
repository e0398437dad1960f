// Shows the result of a run.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fetchConnections } from '../../api/integrations.ts';
import type { Answer } from '../../api/tools.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { duration, size } from '../../parts/amounts.ts';
import { Link } from '../../router/link.tsx';
import { showBelow } from '../../parts/scroll-into-view.ts';
import { useResource } from '../../state/use-resource.ts';
import { resultTexts } from '../../texts/result.ts';
import { texts } from '../../texts/texts.ts';
import { AskPanel } from './ask-panel.tsx';
import { describeResult, readResult } from './describe-result.ts';
import { JsonPanel } from './json/json-panel.tsx';
import { ResultFiles } from './result-files.tsx';
import { readFailure, readRefusal, type Refusal } from './refusal.ts';
import { ResultImage } from './result-image.tsx';
import type { Run } from './run.ts';

const words = texts.tools;

interface Props {
  run: Run;
  nameOf: (integration: string) => string;
}

export function Result({ run, nameOf, onRun }: Props & { onRun: (run: Run) => void }) {
  const answer = run.state === 'answered' ? run.answer : undefined;
  const refusal = answer === undefined ? null : readRefusal(answer);
  // Some results have megabytes.
  const result = useMemo(() => answer && readResult(answer), [answer]);
  const place = useRef<HTMLElement>(null);
  const [wasRunning, setRunning] = useState(false);
  if (run.state === 'running' && !wasRunning) setRunning(true);
  useEffect(() => {
    // On phones the result lies below the form.
    if (run.state !== 'running' && wasRunning) {
      setRunning(false);
      if (place.current !== null) showBelow(place.current);
    }
  }, [run.state]);
  return (
    <section ref={place} class="result" aria-labelledby="result">
      <h2 id="result" class="visually-hidden" tabIndex={-1}>
        {words.result}
      </h2>
      <div class="result-status" role="status">
        <Status run={run} value={result?.value} nameOf={nameOf} />
      </div>
      {run.state === 'answered' && result !== undefined && (
        <>
          {refusal !== null && <Next run={run} refusal={refusal} onRun={onRun} />}
          <ResultImage text={run.answer.text} />
          <ResultFiles text={run.answer.text} />
          {result.hint !== '' && <p>{result.hint}</p>}
          <Body
            run={run}
            of={nameOf(run.tool.integration)}
            value={result.value}
            isExplained={refusal !== null}
          />
        </>
      )}
    </section>
  );
}

interface BodyProps {
  run: Answered;
  /** What people call the integration. */
  of: string;
  value: unknown;
  isExplained: boolean;
}

/** Shows the result. The JSON of a failure is for programs, so it lies folded below its explanation. */
function Body({ run: { answer, tool }, of, value, isExplained }: BodyProps) {
  const isRefused = useIsRefused(tool.integration, answer);
  // The sentence for agents says how an agent gets a new sign-in.
  const sentences = isExplained ? [] : readFailure(answer).slice(0, isRefused ? 1 : undefined);
  const panel = <JsonPanel value={value} name={tool.name} />;
  if (!isExplained && sentences.length === 0) return panel;
  return (
    <>
      {sentences.map((sentence) => (
        <FailureLine key={sentence} error={sentence} of={of} />
      ))}
      {isRefused && (
        <Link
          href={`/integrations/${encodeURIComponent(tool.integration)}?connect=new`}
          class="button button-primary"
        >
          {resultTexts.reconnect}
        </Link>
      )}
      <details class="result-details">
        <summary>{words.details}</summary>
        {panel}
      </details>
    </>
  );
}

/** Whether the call failed because the service no longer accepts the sign-in, which the call itself has found out. */
function useIsRefused(integration: string, answer: Answer): boolean {
  const connections = useResource('connections', fetchConnections);
  useEffect(() => {
    if (answer.status >= 400) connections.look();
  }, [answer]);
  const connection = connections.data?.find(({ name }) => name === integration);
  return answer.status >= 500 && (connection?.status ?? '') === 'reconnect';
}

type Answered = Extract<Run, { state: 'answered' }>;

/** What the person can do about a refusal. */
function Next({ run, refusal, onRun }: { run: Answered; refusal: Refusal; onRun: (run: Run) => void }) {
  switch (refusal.kind) {
    case 'not-connected':
      return (
        <Link href={`/integrations/${encodeURIComponent(run.tool.integration)}`} class="button">
          {words.goConnect}
        </Link>
      );
    case 'asked':
      return (
        <AskPanel
          key={refusal.approval}
          tool={run.tool}
          args={run.args}
          account={run.account}
          approval={refusal.approval}
          onRun={onRun}
        />
      );
    case 'blocked':
    case 'denied':
      return (
        <>
          <p>{refusal.message}</p>
          <Link href="/rules" class="button">
            {words.goRules}
          </Link>
        </>
      );
  }
}

function Status({ run, value, nameOf }: Props & { value: unknown }) {
  switch (run.state) {
    case 'idle':
      return <span class="muted">{words.resultNone}</span>;
    case 'running':
      return (
        <Lamp colour="amber" blinking>
          {words.running}
        </Lamp>
      );
    case 'stopped':
      return <Lamp colour="off">{words.stopped}</Lamp>;
    case 'unanswered':
      return <Lamp colour="red">{run.message}</Lamp>;
    case 'answered':
      return (
        <>
          <Lamp colour={colourOf(run.answer)}>{describeStatus(run, value, nameOf)}</Lamp>
          <ul class="result-facts">
            <li>{statusOf(run.answer)}</li>
            <li>{size(run.answer.bytes)}</li>
          </ul>
        </>
      );
  }
}

/** The gateway answers 502 for a service that has failed. The person wants to know what the service said. */
function statusOf(answer: Answer): string {
  const [, said] = /^(\d{3}): /.exec(answer.status === 502 ? (readFailure(answer)[0] ?? '') : '') ?? [];
  return said ?? String(answer.status);
}

function colourOf(answer: Answer): LampColour {
  if (answer.status < 300) return 'green';
  return readRefusal(answer)?.kind === 'asked' ? 'amber' : 'red';
}

function describeStatus({ tool, answer }: Answered, value: unknown, nameOf: Props['nameOf']): string {
  const refusal = readRefusal(answer);
  switch (refusal?.kind) {
    case 'not-connected':
      return words.notConnected(nameOf(tool.integration));
    case 'asked':
      return words.asked;
    case 'blocked':
      return words.blocked;
    case 'denied':
      return words.denied;
    case undefined:
      break;
  }
  switch (answer.status) {
    case 200:
      return `${words.ran(duration(answer.ms))} ${describeResult(value)}`.trim();
    case 400:
      return words.refused;
    default:
      return words.failedUpstream(duration(answer.ms));
  }
}
