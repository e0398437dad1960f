// Lists the rules for single integrations and tools, and lets the person change, remove and add one.
import { useState } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import type { Decision, Rule } from '../../api/policy.ts';
import { fetchTools } from '../../api/tools.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { findMatches } from '../../state/find.ts';
import { changeRules, type Owner } from '../../state/use-policy.ts';
import { useGradually } from '../../state/use-gradually.ts';
import { useResource } from '../../state/use-resource.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { AddException } from './add-exception.tsx';
import { ChoiceMenu, useMenuControl } from './choice-menu.tsx';
import { ExceptionRow } from './exception-row.tsx';
import { type ShownException, showExceptions } from './exception-list.ts';
import { withRule } from './rule-list.ts';

const words = rulesTexts.exceptions;

interface Props {
  owner: Owner;
  rules: readonly Rule[];
}

export function Exceptions({ owner, rules }: Props) {
  const integrations = useResource('integrations', fetchIntegrations);
  const tools = useResource('tools', fetchTools);
  const search = useListSearch();
  const { query, removed, setRemoved } = search;
  const [outcome, setOutcome] = useState<Outcome>();
  const control = useMenuControl();
  const areKnown = integrations.data !== undefined && tools.data !== undefined;
  const all = areKnown ? showExceptions(rules, integrations.data ?? [], tools.data ?? []) : [];
  const found = findMatches(all, query, ({ subject, detail }) => `${subject} ${detail}`);
  const shown = useGradually(found.length, query);

  /** Returns what to say about the calls that the change has ended. */
  async function change(target: Omit<Rule, 'decision'>, decision: Decision | null): Promise<string> {
    const { ended } = await changeRules(owner, (now) => withRule(now, target, decision));
    setOutcome(undefined);
    setRemoved();
    return owner === 'me' ? rulesTexts.ended(ended) : rulesTexts.endedForEveryone;
  }

  async function set({ target, subject }: ShownException, decision: Decision): Promise<void> {
    const ended = await change(target, decision);
    setOutcome({ words: `${words.saved[decision](subject)} ${ended}`.trim() });
  }

  async function remove({ target, subject, decision }: ShownException, at: number): Promise<void> {
    const ended = await change(target, null);
    setRemoved({
      words: `${words.removed(subject)} ${ended}`.trim(),
      takesFocus: true,
      at,
      undo: async () => void (await change(target, decision)),
    });
  }

  return (
    <section class="section" aria-labelledby="exceptions">
      <h2 id="exceptions" class="section-title">
        {words.title} <span class="section-count">{all.length}</span>
      </h2>
      <p class="section-note">{words.lead}</p>
      <NotLoaded of={[integrations, tools]} />
      {!areKnown && integrations.error === undefined && tools.error === undefined && <Skeleton rows={2} />}
      {areKnown && (
        <>
          <AddException
            owner={owner}
            integrations={integrations.data ?? []}
            tools={tools.data ?? []}
            onAdd={set}
          />
          <OutcomeLine outcome={outcome} />
          {all.length === 0 && removed === undefined && <p class="muted exceptions-none">{words.none}</p>}
          <SearchableRows words={words} search={search} all={all.length}>
            {found.slice(0, shown).map((each, at) => (
              <ExceptionRow
                key={each.key}
                exception={each}
                control={control}
                onSet={(decision) => set(each, decision)}
                onRemove={() => remove(each, at)}
              />
            ))}
          </SearchableRows>
          <ChoiceMenu control={control} />
        </>
      )}
    </section>
  );
}
