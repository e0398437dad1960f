// Says that no call waits, and offers the rule that makes agents ask before they delete.
import { useState } from 'preact/hooks';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Link } from '../../router/link.tsx';
import { changeRules, useRules } from '../../state/use-policy.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { levelsOf, PRESETS, withLevels } from '../rules/rule-list.ts';

const words = approvalsTexts;

export function NothingWaits() {
  const rules = useRules();
  const [outcome, setOutcome] = useState<Outcome>();
  const levels = rules.data && levelsOf(rules.data.rules);
  // Somebody who has decided something is not offered less.
  const asksNothing = levels !== undefined && Object.values(levels).every((decision) => decision === 'allow');

  async function askBeforeDeletions(): Promise<void> {
    await changeRules('me', (all) => withLevels(all, PRESETS.deletions));
    setOutcome({ words: words.asksNow, takesFocus: true });
  }

  return (
    <Empty icon="approvals" title={words.noneTitle} lead={words.noneLead}>
      {asksNothing && <ActionButton label={words.askBeforeDeletions} onAct={askBeforeDeletions} />}
      {levels !== undefined && !asksNothing && (
        <Link href="/rules" class="button">
          {words.toRules}
        </Link>
      )}
      <OutcomeLine outcome={outcome} />
    </Empty>
  );
}
