// Shows the role of a person, and changes it.
import { useState } from 'preact/hooks';
import type { Person, Role } from '../../api/people.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { RoleChoices } from './role-choices.tsx';

const words = peopleTexts.person;

interface Props {
  person: Person;
  onChange: (role: Role) => Promise<void>;
}

export function RolePanel({ person: { email, role }, onChange }: Props) {
  const [draft, setDraft] = useState(role);
  const [outcome, setOutcome] = useState<Outcome>();

  async function save(wanted: Role): Promise<void> {
    await onChange(wanted);
    setDraft(wanted);
    setOutcome({
      words: words.roleSaved(email, peopleTexts.roles[wanted]),
      takesFocus: true,
      undo: () => save(role),
    });
  }

  return (
    <section class="panel role-panel" aria-labelledby="role">
      <h2 id="role">{words.role}</h2>
      <RoleChoices
        isLegendHidden
        legend={words.roleOf(email)}
        chosen={draft}
        onChoose={(wanted) => {
          setOutcome(undefined);
          setDraft(wanted);
        }}
      />
      {draft !== role && (
        <div class="row">
          <ActionButton primary label={words.roleSave} onAct={() => save(draft)} />
        </div>
      )}
      <OutcomeLine outcome={outcome} />
    </section>
  );
}
