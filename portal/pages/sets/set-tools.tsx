// Lists the tools of a set, with what became of each.
import type { ShownSetTool } from '../../api/sets.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Link } from '../../router/link.tsx';
import { setsTexts } from '../../texts/sets.ts';

const words = setsTexts.one;

interface Props {
  tools: readonly ShownSetTool[];
  /** Absent for somebody who may not change the set. */
  onRemove: ((tool: string) => Promise<void>) | undefined;
}

export function SetTools({ tools, onRemove }: Props) {
  return (
    <section class="section" aria-labelledby="set-tools">
      <h2 id="set-tools" class="section-title">
        {words.chosen} <span class="section-count">{tools.length}</span>
      </h2>
      {tools.length === 0 ? (
        <Empty icon="tools" title={words.none} lead={words.noneLead} />
      ) : (
        <ul class="rows" aria-label={words.chosen}>
          {tools.map((tool) => (
            <li key={tool.name} class="set-tool">
              <div class="set-tool-words">
                <h3>
                  {tool.state === 'gone' ? (
                    tool.name
                  ) : (
                    <Link href={`/tools?tool=${encodeURIComponent(tool.name)}`}>{tool.name}</Link>
                  )}
                </h3>
                {tool.description !== undefined && <p class="muted">{tool.description}</p>}
                <State of={tool} />
              </div>
              {tool.access !== undefined && <AccessLamp access={tool.access} />}
              {onRemove !== undefined && (
                <ActionButton
                  label={words.removeTool}
                  named={words.removeOf(tool.name)}
                  onAct={() => onRemove(tool.name)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function State({ of: { state, connected, integration = '' } }: { of: ShownSetTool }) {
  if (state === 'gone') return <Lamp colour="red">{words.states.gone}</Lamp>;
  if (state !== 'listed')
    return (
      <Link href={state === 'blocked' ? '/rules' : `/integrations/${encodeURIComponent(integration)}`}>
        <Lamp colour="amber">{words.states[state]}</Lamp>
      </Link>
    );
  if (connected === true) return null;
  return (
    <Link href={`/integrations/${encodeURIComponent(integration)}`}>
      <Lamp colour="amber">{words.states.notConnected}</Lamp>
    </Link>
  );
}
