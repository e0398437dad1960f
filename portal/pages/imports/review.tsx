// Shows what a service has changed since it was accepted, and lets the person accept one change or all.
import { useRef, useState } from 'preact/hooks';
import { acceptChanges, type Checked, fetchChanges } from '../../api/import-changes.ts';
import { ApiError } from '../../api/client.ts';
import type { ImportEntry } from '../../api/imports.ts';
import { waits } from '../../connect/state.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useGradually } from '../../state/use-gradually.ts';
import { useResource } from '../../state/use-resource.ts';
import { importsTexts } from '../../texts/imports.ts';
import { ChangedTool, GoneTool, NewTool } from './change-row.tsx';
import { Warnings } from './warnings.tsx';
import '../../styles/imports.css';
import '../../styles/review.css';

const words = importsTexts.review;

export const changesOf = (name: string) => `changes ${name}`;

interface Props {
  entry: ImportEntry;
  onChange: (entry: ImportEntry) => void;
}

export function ImportReview({ entry, onChange }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const isWaiting = entry.tools.some(waits);
  if (!isWaiting && outcome === undefined) return null;
  return (
    <section class="panel review" aria-labelledby="review">
      <h2 id="review" tabIndex={-1}>
        {words.title}
      </h2>
      <OutcomeLine outcome={outcome} />
      {isWaiting && <Waiting entry={entry} onChange={onChange} onSaid={setOutcome} />}
    </section>
  );
}

function Waiting({ entry, onChange, onSaid }: Props & { onSaid: (outcome: Outcome) => void }) {
  const { name, displayName, editable } = entry;
  const list = useRef<HTMLUListElement>(null);
  useFocusFallback(list);
  const changes = useResource(changesOf(name), () => fetchChanges(name));
  const data = changes.data && onlyOf(entry, changes.data);
  const names = data === undefined ? [] : namesOf(data);
  const count = names.length;
  const shown = useGradually(count, name);

  // Tools that nobody has chosen are not shown, and so not accepted.
  async function accept(tools: readonly string[], said: string): Promise<void> {
    if (data === undefined) return;
    const now = await acceptChanges(name, tools, data.version).catch((error: unknown) => {
      // The source has changed since the person looked, so they look again.
      if (error instanceof ApiError && error.status === 409) changes.reload();
      throw error;
    });
    onChange(now);
    // The other changes are as they were.
    changes.change((waiting) => ({ ...waiting, version: now.version }));
    onSaid({ words: said, takesFocus: true });
  }

  const acceptOne = (tool: string) => (editable ? () => accept([tool], words.accepted(tool)) : undefined);
  return (
    <>
      <p class="muted">
        {(editable ? words.lead : words.leadReadOnly)(displayName, entry.tools.filter(waits).length)}
      </p>
      <NotLoaded of={[changes]} />
      {data === undefined && changes.error === undefined && <Skeleton rows={2} />}
      {data !== undefined && (
        <>
          <Warnings isAmber title={words.warnings} warnings={data.warnings} />
          {editable && count > 1 && (
            <p class="row review-all">
              <ActionButton label={words.acceptAll} onAct={() => accept(names, words.acceptedAll)} />
            </p>
          )}
          <ul ref={list} class="changes">
            {[
              ...data.changed.map((change) => (
                <ChangedTool key={change.name} change={change} onAccept={acceptOne(change.name)} />
              )),
              ...data.added.map((tool) => (
                <NewTool key={tool.name} tool={tool} onAccept={acceptOne(tool.name)} />
              )),
              ...data.gone.map((tool) => <GoneTool key={tool} name={tool} onAccept={acceptOne(tool)} />),
            ].slice(0, shown)}
          </ul>
        </>
      )}
    </>
  );
}

/** Leaves out the tools that nobody has chosen, and those that were accepted meanwhile. */
function onlyOf({ tools }: ImportEntry, found: Checked): Checked {
  const wanted = new Set(tools.filter(waits).map(({ name }) => name));
  return {
    ...found,
    changed: found.changed.filter(({ name }) => wanted.has(name)),
    added: found.added.filter(({ name }) => wanted.has(name)),
    gone: found.gone.filter((name) => wanted.has(name)),
  };
}

export function namesOf({ changed, added, gone }: Checked): string[] {
  return [...changed.map(({ name }) => name), ...added.map(({ name }) => name), ...gone];
}
