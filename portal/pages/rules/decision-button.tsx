// Renders the button of a row that says what is decided, and opens the menu that changes it.
import { rulesTexts } from '../../texts/rules.ts';
import { type MenuContent, type MenuControl, opensMenu } from './choice-menu.tsx';
import type { Outlook } from './tool-decisions.ts';
import '../../styles/decisions.css';

interface Props {
  decision: Outlook;
  /** The accessible name. */
  named: string;
  /** Says where the decision comes from. */
  by?: string | undefined;
  /** True for a decision that was made in this row. */
  isOwn?: boolean;
  control: MenuControl;
  content: () => MenuContent;
}

export function DecisionButton({ decision, named, by, isOwn = false, control, content }: Props) {
  return (
    <span class="decision">
      <button
        {...opensMenu(control, content)}
        class={isOwn ? 'decision-button decision-own' : 'decision-button'}
        aria-label={named}
      >
        <DecisionMark decision={decision} />
        {rulesTexts.decided[decision]}
        <svg class="icon decision-open" viewBox="0 0 20 20" aria-hidden="true">
          <path d="M6 8.5l4 4 4-4" />
        </svg>
      </button>
      {by !== undefined && <span class="decision-by">{by}</span>}
    </span>
  );
}

const DRAWINGS: Record<Outlook, string> = {
  allow: 'M4.5 10.5l3.5 3.5 7.5-8',
  ask: 'M7 7.5a3 3 0 1 1 4.2 2.8c-.8.4-1.2.9-1.2 1.9M10 15.5v.1',
  block: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M5.5 5.5l9 9',
  depends: 'M5 10h.1M10 10h.1M15 10h.1',
};

export function DecisionMark({ decision }: { decision: Outlook }) {
  return (
    <svg class={`icon decision-mark mark-${decision}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={DRAWINGS[decision]} />
    </svg>
  );
}
