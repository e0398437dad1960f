// Lets the person choose tools from a list with a search. It lists what the other choices of the form allow.
import { useId, useState } from 'preact/hooks';
import { fetchTools, type Tool } from '../../api/tools.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { connectedNames, useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { keysTexts } from '../../texts/keys.ts';
import { CheckList } from '../limits/check-list.tsx';
import { allowsTool, type LimitsDraft } from './limits-draft.ts';
import { useNameOf } from './use-name-of.ts';

const words = keysTexts.form;

interface Props {
  draft: LimitsDraft;
  problem: string;
  onChange: (tools: string[]) => void;
}

export function ToolPicker({ draft, problem, onChange }: Props) {
  const tools = useResource('tools', fetchTools);
  const connections = useConnections();
  const nameOf = useNameOf();
  // A row stays where it is when its box is checked.
  const [first] = useState(() => new Set(draft.tools));
  const id = useId();
  const connected = connectedNames(connections.data);
  const chosen = new Set(draft.tools);
  const rank = ({ name, integration }: Tool) => (first.has(name) ? 2 : Number(connected.has(integration)));
  const all = tools.data?.toSorted(
    (one, other) =>
      rank(other) - rank(one) ||
      nameOf(one.integration).localeCompare(nameOf(other.integration)) ||
      one.name.localeCompare(other.name),
  );
  const blocked = all?.filter((tool) => chosen.has(tool.name) && !allowsTool(draft, tool)) ?? [];
  const isLoaded = all !== undefined && connections.data !== undefined;

  return (
    <div class="check-list-field">
      <NotLoaded of={[tools, connections]} />
      {!isLoaded && tools.error === undefined && <Skeleton rows={2} />}
      {isLoaded && (
        <CheckList
          field="tools"
          words={words.toolList}
          rows={[
            ...missingFrom(all, [...first, ...chosen]).map((name) => ({
              name,
              label: name,
              about: words.missing,
              keywords: '',
            })),
            ...all.map((tool) => {
              const { name, integration } = tool;
              const isAllowed = allowsTool(draft, tool);
              return {
                name,
                label: name,
                about: isAllowed ? nameOf(integration) : words.isBlocked,
                keywords: nameOf(integration),
                isHidden: !isAllowed && !chosen.has(name),
              };
            }),
          ]}
          chosen={draft.tools}
          describedBy={`${id} problem`}
          onChange={onChange}
        />
      )}
      <div role="status">
        {blocked.length > 0 && <Lamp colour="amber">{words.blocked(blocked.map(({ name }) => name))}</Lamp>}
      </div>
      <p id={`${id} problem`} class="connect-problem">
        {problem}
      </p>
    </div>
  );
}

/** The names that are no tool of this gateway. */
function missingFrom(tools: readonly Tool[], names: readonly string[]): string[] {
  const known = new Set(tools.map(({ name }) => name));
  return [...new Set(names)].filter((name) => !known.has(name));
}
