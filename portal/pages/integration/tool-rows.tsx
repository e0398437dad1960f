// Lists an integration's tools: what each one does, whether agents may use it, and a link to try it.
import type { Tool } from '../../api/tools.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Link } from '../../router/link.tsx';
import { findMatches } from '../../state/find.ts';
import { texts } from '../../texts/texts.ts';
import { ChoiceMenu, useMenuControl } from '../rules/choice-menu.tsx';
import { ToolAnnouncement, ToolOutcome } from '../rules/said-of-tool.tsx';
import { ToolDecisionButton } from '../rules/tool-decision.tsx';
import type { Decisions } from '../rules/use-decisions.ts';
import { AddToSet } from '../sets/add-to-set.tsx';

const words = texts.integration;

interface Props {
  /** The name of the integration as people know it. */
  of: string;
  tools: readonly Tool[];
  decisions: Decisions;
}

export function ToolRows({ of, tools, decisions }: Props) {
  const control = useMenuControl();
  const search = useListSearch();
  const found = findMatches(tools, search.query, ({ name, description }) => `${name} ${description}`);

  return (
    <section class="section" aria-labelledby="tools">
      <h2 id="tools" class="section-title">
        {words.tools} <span class="section-count">{tools.length}</span>
      </h2>
      {tools.length > 0 && <AddToSet integration={of} tools={tools} />}
      {tools.length === 0 ? (
        <Empty title={words.noTools} lead="" />
      ) : (
        <SearchableRows words={words.toolRows} search={search} all={tools.length}>
          {found.map(({ name, description, access }) => (
            <li key={name} class="tool-row">
              <div class="tool-row-words">
                <h3>
                  <Link href={`/tools?tool=${encodeURIComponent(name)}`}>{name}</Link>
                </h3>
                <p class="muted">{description}</p>
                <ToolOutcome said={decisions.said?.tool === name ? decisions.said : undefined} />
              </div>
              <AccessLamp access={access} />
              <ToolDecisionButton
                tool={{ name, access }}
                now={decisions.of({ name, access })}
                control={control}
                onDecide={decisions.changeTool}
              />
              <span class="tool-row-try" aria-hidden="true">
                {words.tryIt}
              </span>
            </li>
          ))}
        </SearchableRows>
      )}
      <ChoiceMenu control={control} />
      <ToolAnnouncement said={decisions.said} />
    </section>
  );
}
