// Lists the tools of an import with their state, and lets the person choose them and say what they do.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { changeImport } from '../../api/import-changes.ts';
import type { ImportedTool, ImportEntry } from '../../api/imports.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Link } from '../../router/link.tsx';
import { findMatches } from '../../state/find.ts';
import { useGradually } from '../../state/use-gradually.ts';
import { useKept } from '../../state/use-kept.ts';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';
import { AppNote } from './app-note.tsx';
import { choosableOf, patchOf } from './imported-selection.ts';
import { ChoiceMenu, type MenuControl, useMenuControl } from '../rules/choice-menu.tsx';
import { ToolAnnouncement, ToolOutcome } from '../rules/said-of-tool.tsx';
import { ToolDecisionButton } from '../rules/tool-decision.tsx';
import type { ToolDecision } from '../rules/tool-decisions.ts';
import type { Decisions, SaidOfTool } from '../rules/use-decisions.ts';
import { NOTHING_CHANGED, type Selection } from './selection.ts';
import { ToolPicker } from './tool-picker.tsx';
import '../../styles/imports.css';
import '../../styles/integration.css';

const words = importsTexts.tools;

interface Props {
  entry: ImportEntry;
  /** What else can be done with the tools. */
  actions: ComponentChildren;
  /** Whether the person has connected it, or nobody has to. */
  isConnected: boolean;
  decisions: Decisions;
  onChange: (entry: ImportEntry) => void;
}

export function ImportTools(props: Props) {
  const { entry, actions, onChange } = props;
  const [isChoosing, setChoosing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const tools = entry.tools.filter(({ included }) => included);

  return (
    <section class="section integration-tools" aria-labelledby="tools">
      <div class="section-head">
        <h2 id="tools" class="section-title">
          {words.title} <span class="section-count">{tools.length}</span>
        </h2>
        {!isChoosing && (
          <span class="row">
            {actions}
            {entry.editable && entry.tools.length > 0 && (
              <button type="button" class="button" onClick={() => setChoosing(true)}>
                {words.choose}
              </button>
            )}
          </span>
        )}
      </div>
      <OutcomeLine outcome={outcome} />
      {isChoosing ? (
        <Chooser
          entry={entry}
          onSaved={(now) => {
            setChoosing(false);
            setOutcome({ words: words.saved, takesFocus: true });
            onChange(now);
          }}
          onCancel={() => setChoosing(false)}
        />
      ) : (
        <ToolList {...props} tools={tools} />
      )}
    </section>
  );
}

function ToolList({ entry, isConnected, decisions, tools }: Props & { tools: readonly ImportedTool[] }) {
  const control = useMenuControl();
  const search = useListSearch();
  const found = findMatches(tools, search.query, ({ name, description }) => `${name} ${description}`);
  const shown = useGradually(found.length, search.query);
  if (entry.tools.length === 0)
    return <Empty icon="tools" title={words.noneTitle} lead={explainNone(entry, isConnected)} />;
  return (
    <>
      <SearchableRows words={words.rows} search={search} all={tools.length}>
        {found.slice(0, shown).map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            service={entry.displayName}
            now={decisions.of(tool)}
            said={decisions.said?.tool === tool.name ? decisions.said : undefined}
            control={control}
            onDecide={decisions.changeTool}
          />
        ))}
      </SearchableRows>
      <ChoiceMenu control={control} />
      <ToolAnnouncement said={decisions.said} />
    </>
  );
}

function explainNone({ displayName, checkedAt, tools }: ImportEntry, isConnected: boolean): string {
  if (tools.length > 0) return words.noneChosen;
  if (!isConnected) return words.noneConnect(displayName);
  return (checkedAt === null ? words.noneUnchecked : words.noneCheck)(displayName);
}

interface RowProps {
  tool: ImportedTool;
  /** What people call the service. */
  service: string;
  now: ToolDecision | undefined;
  said: SaidOfTool | undefined;
  control: MenuControl;
  onDecide: Decisions['changeTool'];
}

/** Renders a row again only when it changes: a list may have a thousand. */
function ToolRow(props: RowProps) {
  const { tool, now, said } = props;
  return useMemo(() => <ToolRowContent {...props} />, [tool, said, now && Object.values(now).join()]);
}

function stateOf({ state, blocked }: ImportedTool, service: string): string {
  if (state === 'granted') return '';
  if (state === 'gone') return words.states.gone(service);
  return words.states[state === 'changed' && blocked ? 'blocked' : state];
}

function ToolRowContent({ tool, service, now, said, control, onDecide }: RowProps) {
  const { name, description, access, state, blocked, onlyForApp } = tool;
  // Agents and the explorer have only what somebody has accepted, and never what only an app calls.
  const canTry = onlyForApp !== true && !blocked && (state === 'granted' || state === 'changed');
  const differs = now !== undefined && (now.decision !== now.usual || now.by !== 'rules');
  return (
    <li class={`tool-row${canTry ? '' : ' tool-row-waits'}${differs ? ' tool-row-differs' : ''}`}>
      <div class="tool-row-words">
        <h3 class="tool-row-name">
          {canTry ? <Link href={`/tools?tool=${encodeURIComponent(name)}`}>{name}</Link> : name}
        </h3>
        {state !== 'granted' && (
          <p class={blocked || state === 'new' ? 'tool-row-state tool-row-amber' : 'tool-row-state'}>
            {stateOf(tool, service)}
          </p>
        )}
        <LongText text={description} class="muted" />
        <AppNote tool={tool} />
        <ToolOutcome said={said} />
      </div>
      <AccessLamp access={access} />
      {canTry ? (
        <ToolDecisionButton tool={tool} now={now} control={control} onDecide={onDecide} />
      ) : (
        <span class="decision" />
      )}
    </li>
  );
}

interface ChooserProps {
  entry: ImportEntry;
  onSaved: (entry: ImportEntry) => void;
  onCancel: () => void;
}

function Chooser({ entry, onSaved, onCancel }: ChooserProps) {
  const [selection, setSelection] = useKept<Selection>(`choose tools ${entry.name}`, NOTHING_CHANGED);
  const tools = choosableOf(entry);

  async function save(): Promise<void> {
    const now = await changeImport(entry.name, patchOf(entry, tools, selection));
    setSelection(NOTHING_CHANGED);
    onSaved(now);
  }

  return (
    <div class="panel">
      <ToolPicker tools={tools} selection={selection} onChange={setSelection} />
      <div class="dialog-actions import-submit">
        <button
          type="button"
          class="button"
          onClick={() => {
            setSelection(NOTHING_CHANGED);
            onCancel();
          }}
        >
          {texts.actions.cancel}
        </button>
        <ActionButton primary label={words.save} onAct={save} />
      </div>
    </div>
  );
}
