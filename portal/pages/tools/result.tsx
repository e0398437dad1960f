// Shows the result of a run.
import type { Answer } from '../../api/tools.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { duration, size } from '../../parts/amounts.ts';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { AskPanel } from './ask-panel.tsx';
import { JsonView } from './json-view.tsx';
import { ResultFiles } from './result-files.tsx';
import { readRefusal, type Refusal } from './refusal.ts';
import { ResultImage } from './result-image.tsx';
import type { Run } from './run.ts';

const words = texts.tools;

interface Props {
  run: Run;
  nameOf: (integration: string) => string;
}

export function Result({ run, nameOf, onRun }: Props & { onRun: (run: Run) => void }) {
  const refusal = run.state === 'answered' ? readRefusal(run.answer) : null;
  return (
    <section class="result" aria-labelledby="result">
      <h2 id="result" class="visually-hidden" tabIndex={-1}>
        {words.result}
      </h2>
      <div class="result-status" role="status">
        <Status run={run} nameOf={nameOf} />
      </div>
      {run.state === 'answered' && (
        <>
          {refusal !== null && <Next run={run} refusal={refusal} onRun={onRun} />}
          <ResultImage text={run.answer.text} />
          <ResultFiles text={run.answer.text} />
          <JsonView text={run.answer.text} />
          <CopyButton label={words.copyResult} text={() => run.answer.text} />
        </>
      )}
    </section>
  );
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

function Status({ run, nameOf }: Props) {
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
          <Lamp colour={colourOf(run.answer)}>{describeStatus(run, nameOf)}</Lamp>
          <ul class="result-facts">
            <li>{run.answer.status}</li>
            <li>{duration(run.answer.ms)}</li>
            <li>{size(run.answer.bytes)}</li>
          </ul>
        </>
      );
  }
}

function colourOf(answer: Answer): LampColour {
  if (answer.status < 300) return 'green';
  return readRefusal(answer)?.kind === 'asked' ? 'amber' : 'red';
}

function describeStatus({ tool, answer }: Answered, nameOf: Props['nameOf']): string {
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
      return words.ran;
    case 400:
      return words.refused;
    default:
      return words.failedUpstream;
  }
}
