// Shows the result of a run.
import { CopyButton } from '../../parts/copy-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { duration, size } from '../../parts/amounts.ts';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { JsonView } from './json-view.tsx';
import { ResultFiles } from './result-files.tsx';
import { ResultImage } from './result-image.tsx';
import type { Run } from './run.ts';

const words = texts.tools;

interface Props {
  run: Run;
  nameOf: (integration: string) => string;
}

export function Result({ run, nameOf }: Props) {
  return (
    <section class="result" aria-labelledby="result">
      <h2 id="result" class="visually-hidden">
        {words.result}
      </h2>
      <div class="result-status" role="status">
        <Status run={run} nameOf={nameOf} />
      </div>
      {run.state === 'answered' && (
        <>
          {run.answer.status === 409 && (
            <Link href={`/integrations/${encodeURIComponent(run.tool.integration)}`} class="button">
              {words.goConnect}
            </Link>
          )}
          <ResultImage text={run.answer.text} />
          <ResultFiles text={run.answer.text} />
          <JsonView text={run.answer.text} />
          <CopyButton label={words.copyResult} text={() => run.answer.text} />
        </>
      )}
    </section>
  );
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
          <Lamp colour={run.answer.status < 300 ? 'green' : 'red'}>{describeStatus(run, nameOf)}</Lamp>
          <ul class="result-facts">
            <li>{run.answer.status}</li>
            <li>{duration(run.answer.ms)}</li>
            <li>{size(run.answer.bytes)}</li>
          </ul>
        </>
      );
  }
}

function describeStatus(
  { tool, answer }: Extract<Run, { state: 'answered' }>,
  nameOf: Props['nameOf'],
): string {
  switch (answer.status) {
    case 200:
      return words.ran;
    case 400:
      return words.refused;
    case 409:
      return words.notConnected(nameOf(tool.integration));
    default:
      return words.failedUpstream;
  }
}
