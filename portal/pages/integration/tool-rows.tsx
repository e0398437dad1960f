// Lists an integration's tools in groups: what each one does, what differs from the rules, and a link to try it.
import { useRef, useState } from 'preact/hooks';
import type { Decision } from '../../api/policy.ts';
import type { Access, Tool } from '../../api/tools.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/empty.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Link } from '../../router/link.tsx';
import { findMatches } from '../../state/find.ts';
import { useRoving } from '../../state/use-roving.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { texts } from '../../texts/texts.ts';
import { ChoiceMenu, type MenuControl, useMenuControl } from '../rules/choice-menu.tsx';
import { DECISIONS, withTool } from '../rules/rule-list.ts';
import { ToolAnnouncement, ToolOutcome } from '../rules/said-of-tool.tsx';
import { ToolDecisionButton } from '../rules/tool-decision.tsx';
import type { Decisions } from '../rules/use-decisions.ts';
import { AddToSet } from '../sets/add-to-set.tsx';
import { groupTools } from './tool-groups.ts';

const words = texts.integration;
const LEVELS = ['read', 'write', 'destroy'] as const satisfies readonly Access[];
const MAX_WITHOUT_SEARCH = 10;

interface Props {
  name: string;
  /** The name of the integration as people know it. */
  of: string;
  tools: readonly Tool[];
  decisions: Decisions;
}

export function ToolRows({ name, of, tools, decisions }: Props) {
  const control = useMenuControl();
  const { query, onQuery } = useListSearch();
  const [level, setLevel] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useRoving(list);
  const ofLevel = level === '' ? tools : tools.filter(({ access }) => access === level);
  const found = findMatches(ofLevel, query, (tool) => `${tool.name} ${tool.description}`);
  const isLong = tools.length > MAX_WITHOUT_SEARCH;
  const levels = LEVELS.filter((each) => tools.some(({ access }) => access === each));

  function choose(tool: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(tool);
    else next.delete(tool);
    setChosen(next);
  }

  return (
    <section class="section integration-tools" aria-labelledby="tools">
      <div class="section-head">
        <h2 id="tools" class="section-title">
          {words.tools} <span class="section-count">{tools.length}</span>
        </h2>
        {tools.length > 1 && (
          <span class="row">
            <AddToSet integration={of} tools={tools} />
            <button
              type="button"
              class="button"
              aria-pressed={chosen !== null}
              onClick={() => setChosen(chosen === null ? new Set() : null)}
            >
              {words.select}
            </button>
          </span>
        )}
      </div>
      {isLong && (
        <div class="list-search">
          <SearchField label={words.toolRows.search} value={query} onChange={onQuery} field={field} />
          {/* The heading has the number of all tools. */}
          <p class={found.length === tools.length ? 'visually-hidden' : 'muted'} role="status">
            {words.toolRows.found(found.length, tools.length)}
          </p>
        </div>
      )}
      {isLong && levels.length > 1 && (
        <Chips
          label={words.levels}
          choices={[
            { value: '', label: words.allLevels },
            ...levels.map((value) => ({ value, label: texts.access[value] })),
          ]}
          chosen={level}
          onChoose={setLevel}
        />
      )}
      {chosen !== null && (
        <BulkBar
          name={name}
          tools={found}
          chosen={chosen}
          onAll={() => setChosen(new Set(found.map((tool) => tool.name)))}
          decisions={decisions}
        />
      )}
      {tools.length === 0 && <Empty icon="tools" title={words.noTools} lead="" />}
      {tools.length > 0 && found.length === 0 && (
        <NoMatch
          title={words.toolRows.noMatch(query)}
          field={field}
          onShowAll={() => {
            onQuery('');
            setLevel('');
          }}
        />
      )}
      <div ref={list}>
        {groupTools(found, name).map(({ title: thing, tools: inGroup }, _, { length }) => {
          const title = thing === '' && length > 1 ? words.otherTools : thing;
          return (
            <div key={title} class="tool-group">
              {title !== '' && (
                <h3 class="tool-group-title">
                  {title} <span class="section-count">{inGroup.length}</span>
                </h3>
              )}
              <ul class="rows" aria-label={title === '' ? words.toolRows.title : title}>
                {inGroup.map((tool) => (
                  <ToolRow
                    key={tool.name}
                    tool={tool}
                    isUnderTitle={title !== ''}
                    decisions={decisions}
                    control={control}
                    isChosen={chosen?.has(tool.name)}
                    onChoose={choose}
                  />
                ))}
              </ul>
            </div>
          );
        })}
      </div>
      <ChoiceMenu control={control} />
      <ToolAnnouncement said={decisions.said} />
    </section>
  );
}

interface RowProps {
  tool: Tool;
  isUnderTitle: boolean;
  decisions: Decisions;
  control: MenuControl;
  /** Undefined while nobody chooses tools. */
  isChosen: boolean | undefined;
  onChoose: (tool: string, isChosen: boolean) => void;
}

function ToolRow({ tool, isUnderTitle, decisions, control, isChosen, onChoose }: RowProps) {
  const { name, description, access } = tool;
  const Heading = isUnderTitle ? 'h4' : 'h3';
  const now = decisions.of({ name, access });
  const differs = now !== undefined && (now.decision !== now.usual || now.by !== 'rules');
  return (
    <li class={differs ? 'tool-row tool-row-differs' : 'tool-row'} data-row>
      {isChosen !== undefined && (
        <input
          type="checkbox"
          class="tool-row-choose"
          aria-label={words.selectTool(name)}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(name, currentTarget.checked)}
        />
      )}
      <div class="tool-row-words">
        <Heading class="tool-row-name">
          <Link href={`/tools?tool=${encodeURIComponent(name)}`}>{name}</Link>
        </Heading>
        <p class="muted">{description}</p>
        <ToolOutcome said={decisions.said?.tool === name ? decisions.said : undefined} />
      </div>
      <AccessLamp access={access} />
      <ToolDecisionButton
        tool={{ name, access }}
        now={now}
        control={control}
        onDecide={decisions.changeTool}
      />
    </li>
  );
}

interface BulkProps {
  name: string;
  tools: readonly Tool[];
  chosen: ReadonlySet<string>;
  onAll: () => void;
  decisions: Decisions;
}

/** Decides about all chosen tools at once. */
function BulkBar({ name, tools, chosen, onAll, decisions }: BulkProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [problem, setProblem] = useState('');
  const wanted = tools.filter((tool) => chosen.has(tool.name));

  async function decide(decision: Decision | null): Promise<void> {
    setOutcome(undefined);
    setProblem('');
    try {
      const ended = await decisions.change((rules) =>
        wanted.reduce(
          (all, { name: tool, access }) => withTool(all, { integration: name, tool, access }, decision),
          [...rules],
        ),
      );
      setOutcome({ words: `${words.decided(wanted.length)} ${ended}`.trim() });
    } catch (error) {
      setProblem(explain(error));
    }
  }

  return (
    <div class="panel bulk-bar" role="group" aria-label={words.bulk}>
      <span>{words.selected(wanted.length)}</span>
      <button type="button" class="link-button" onClick={onAll}>
        {words.selectAll(tools.length)}
      </button>
      <span class="row">
        {DECISIONS.map((decision) => (
          <button
            key={decision}
            type="button"
            class="button"
            disabled={wanted.length === 0}
            onClick={() => void decide(decision)}
          >
            {rulesTexts.decisions[decision]}
          </button>
        ))}
        <button type="button" class="button" disabled={wanted.length === 0} onClick={() => void decide(null)}>
          {rulesTexts.tool.asRules}
        </button>
      </span>
      <OutcomeLine outcome={outcome} />
      {problem !== '' && <ErrorNotice message={problem} />}
    </div>
  );
}
