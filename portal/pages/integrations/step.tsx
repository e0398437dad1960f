// Renders a step with its number, or with a tick once it is done.
import type { ComponentChildren } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/texts.ts';

interface Props {
  done: boolean;
  title: string;
  lead: string;
  children?: ComponentChildren;
}

export function Step({ done, title, lead, children }: Props) {
  return (
    <li class={done ? 'tick tick-done' : 'tick'}>
      <span class="tick-mark">{done && <Icon name="check" />}</span>
      <div class="tick-words">
        <h3>
          {title}
          <span class="visually-hidden">: {done ? texts.firstSteps.done : texts.firstSteps.open}</span>
        </h3>
        <p class="muted">{lead}</p>
        {children}
      </div>
    </li>
  );
}
