// Shows the chosen tool: its form on one side, its result on the other.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { fetchToolsOf, type Tool } from '../../api/tools.ts';
import { useKept } from '../../state/use-kept.ts';
import { useResource } from '../../state/use-resource.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Logo } from '../../parts/logo.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { BackToList } from './back-to-list.tsx';
import { readFields } from './form/fields.ts';
import { ToolForm } from './tool-form.tsx';
import { Result } from './result.tsx';
import type { Run } from './run.ts';

const words = texts.tools;

interface Props {
  tool: Tool;
  nameOf: (integration: string) => string;
  logo: string | null;
  takeFocus: boolean;
}

export function ToolPane({ tool, nameOf, logo, takeFocus }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [run, setRun] = useKept<Run>(`run ${tool.name}`, { state: 'idle' });
  const siblings = useResource(`schemas ${tool.integration}`, () => fetchToolsOf(tool.integration));
  const schema = siblings.data?.find(({ name }) => name === tool.name)?.inputSchema;
  // The list has only what this person may run.
  const isBlocked =
    siblings.error?.code === 'BLOCKED' || (siblings.data !== undefined && schema === undefined);

  useLayoutEffect(() => {
    if (takeFocus) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <>
      <section class="tool-pane" aria-labelledby="tool">
        <BackToList />
        <div class="tool-head">
          <p class="tool-of">
            <Logo src={logo} name={nameOf(tool.integration)} />
            <Link href={`/integrations/${encodeURIComponent(tool.integration)}`}>
              {nameOf(tool.integration)}
            </Link>
          </p>
          <h2 id="tool" ref={heading} tabIndex={-1}>
            {tool.name}
          </h2>
          <AccessLamp access={tool.access} />
        </div>
        <p class="muted">{tool.description}</p>
        {!isBlocked && <NotLoaded of={[siblings]} />}
        {isBlocked && <BlockedTool />}
        {schema === undefined && !isBlocked && siblings.error === undefined && <Skeleton rows={3} />}
        {schema !== undefined && !isBlocked && (
          <ToolForm
            tool={tool}
            fields={readFields(schema)}
            run={run}
            displayName={nameOf(tool.integration)}
            onRun={setRun}
          />
        )}
      </section>
      <Result run={run} nameOf={nameOf} onRun={setRun} />
    </>
  );
}

function BlockedTool() {
  return (
    <div class="tool-blocked">
      <Lamp colour="red">{words.blockedLead}</Lamp>
      <Link href="/rules" class="button">
        {words.goRules}
      </Link>
    </div>
  );
}
