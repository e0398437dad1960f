// Says in the row of a tool what came of the last decision about it, and announces it once for the whole list.
import { ErrorNotice } from '../../parts/error-notice.tsx';
import type { SaidOfTool } from './use-decisions.ts';

/** Shown in the row of the tool. */
export function ToolOutcome({ said }: { said: SaidOfTool | undefined }) {
  if (said === undefined) return null;
  return said.isBad ? <ErrorNotice message={said.words} /> : <p class="outcome-line">{said.words}</p>;
}

/** A status has to be in the page before its words are, so that a screen reader announces them. */
export function ToolAnnouncement({ said }: { said: SaidOfTool | undefined }) {
  return (
    <p class="visually-hidden" role="status">
      {said?.isBad === false && said.words}
    </p>
  );
}
