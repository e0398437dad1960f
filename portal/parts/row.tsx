// Renders a row of a list: its name, what there is to know about it, and what can be done with it.
import type { ComponentChildren } from 'preact';

interface Props {
  name: ComponentChildren;
  /** The level of the name among the headings of the page. */
  heading: 'h2' | 'h3';
  /** Tells rows of the same name apart. */
  id?: string | undefined;
  /** What matters most, above the facts. */
  children?: ComponentChildren;
  facts: ComponentChildren;
  /** Below the facts. */
  after?: ComponentChildren;
  actions?: ComponentChildren;
}

export function Row({ name, heading: Heading, id, children, facts, after, actions }: Props) {
  return (
    <li class="agent">
      <div class="agent-words">
        <Heading>{name}</Heading>
        {id !== undefined && <p class="agent-id">{id}</p>}
        {children}
        <p class="muted agent-facts">{facts}</p>
        {after}
      </div>
      {actions}
    </li>
  );
}
