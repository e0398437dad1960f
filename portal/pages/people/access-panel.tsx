// Says whether a person may sign in, ends the access and gives it back.
import { useState } from 'preact/hooks';
import type { Person } from '../../api/people.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { peopleTexts } from '../../texts/people.ts';

const words = peopleTexts.person;
const MEANINGS = {
  active: words.accessActive,
  invited: words.accessInvited,
  disabled: words.accessDisabled,
  deleting: words.accessDeleting,
} as const satisfies Record<Person['status'], string>;

interface Props {
  person: Person;
  onDisable: (disabled: boolean) => Promise<void>;
}

export function AccessPanel({ person: { email, status, unverified }, onDisable }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();

  async function change(disabled: boolean): Promise<void> {
    await onDisable(disabled);
    setOutcome({ words: (disabled ? words.disabled : words.enabled)(email), takesFocus: true });
  }

  return (
    <section class="panel panel-line" aria-labelledby="access">
      <div>
        <h2 id="access">{words.access}</h2>
        <p class="muted">{MEANINGS[status]}</p>
        {unverified && <p class="muted">{peopleTexts.unverified}</p>}
        <OutcomeLine outcome={outcome} />
      </div>
      <div class="row">
        {status === 'disabled' && <ActionButton label={words.enable} onAct={() => change(false)} />}
        {(status === 'active' || status === 'invited') && (
          <ConfirmButton
            label={words.disable}
            title={words.disableTitle(email)}
            onConfirm={() => change(true)}
          >
            <p>{words.disableEffect}</p>
            <p>{words.disableLeft}</p>
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}
