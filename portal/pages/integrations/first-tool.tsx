// Runs a built-in tool and shows its result in words.
import { useState } from 'preact/hooks';
import { runTool } from '../../api/tools.ts';
import { isBuiltIn, type WithState } from '../../connect/state.ts';
import { duration } from '../../parts/amounts.ts';
import { explain } from '../../parts/error-notice.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Link } from '../../router/link.tsx';
import { firstStepsTexts } from '../../texts/first-steps.ts';
import { readResult } from '../tools/describe-result.ts';
import { member, textMember } from '../tools/read-json.ts';
import { readFailure } from '../tools/refusal.ts';

const words = firstStepsTexts.firstSteps;

/** Built-in tools that need no credential. */
const TOOLS = [
  {
    integration: 'time',
    name: 'time_now',
    label: words.time,
    args: () => ({ timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone }),
  },
  {
    integration: 'hackernews',
    name: 'hackernews_top_stories',
    label: words.stories,
    args: () => ({ limit: 5 }),
  },
] as const;
type FirstToolName = (typeof TOOLS)[number]['name'];

type State =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'failed'; sentences: string[] }
  | { kind: 'ran'; tool: FirstToolName; value: unknown; ms: number };

interface Props {
  all: readonly WithState[];
  /** Whether this is the step to take now. */
  isNext: boolean;
  onRan: () => void;
}

export function FirstTool({ all, isNext, onRan }: Props) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const offered = TOOLS.filter(({ integration }) =>
    all.some((each) => each.name === integration && isBuiltIn(each)),
  );

  async function run(tool: (typeof TOOLS)[number]): Promise<void> {
    if (state.kind === 'running') return;
    setState({ kind: 'running' });
    try {
      const answer = await runTool(tool, tool.args(), new AbortController().signal);
      if (answer.status >= 300) {
        const sentences = readFailure(answer);
        return setState({ kind: 'failed', sentences: sentences.length === 0 ? [words.failed] : sentences });
      }
      setState({ kind: 'ran', tool: tool.name, value: readResult(answer).value, ms: answer.ms });
      onRan();
    } catch (error) {
      setState({ kind: 'failed', sentences: [explain(error)] });
    }
  }

  if (offered.length === 0) return <Link href="/tools">{words.allTools}</Link>;
  return (
    <>
      <div class="row first-tools">
        {offered.map((tool, index) => (
          <button
            key={tool.name}
            type="button"
            class={index === 0 && isNext ? 'button button-primary' : 'button'}
            aria-disabled={state.kind === 'running'}
            onClick={() => void run(tool)}
          >
            {tool.label}
          </button>
        ))}
      </div>
      <div class="first-result" role="status">
        <Result state={state} />
      </div>
    </>
  );
}

function Result({ state }: { state: State }) {
  switch (state.kind) {
    case 'idle':
      return null;
    case 'running':
      return (
        <Lamp colour="amber" blinking>
          {words.running}
        </Lamp>
      );
    case 'failed':
      return state.sentences.map((sentence) => (
        <Lamp key={sentence} colour="red">
          {sentence}
        </Lamp>
      ));
    case 'ran':
      return (
        <>
          {state.tool === 'time_now' ? <TheTime moment={state.value} /> : <Stories stories={state.value} />}
          <p class="muted">
            {words.ran(state.tool, duration(state.ms))} <Link href="/tools">{words.allTools}</Link>
          </p>
        </>
      );
  }
}

function TheTime({ moment }: { moment: unknown }) {
  const unix = member(moment, 'unix');
  const timeZone = textMember(moment, 'timeZone');
  if (typeof unix !== 'number' || timeZone === '') return null;
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone });
  return <p class="first-answer">{words.itIs(format.format(unix * 1000), timeZone)}</p>;
}

function Stories({ stories }: { stories: unknown }) {
  const titled = (Array.isArray(stories) ? stories : []).filter((story) => textMember(story, 'title') !== '');
  return (
    <ol class="first-stories">
      {titled.map((story: unknown, index) => (
        <li key={index}>
          <OutsideLink href={textMember(story, 'url')}>{textMember(story, 'title')}</OutsideLink>
        </li>
      ))}
    </ol>
  );
}
