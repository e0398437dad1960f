// Offers the roles that the signed-in person may give: only an owner makes owners.
import { type Role, ROLES } from '../../api/people.ts';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { useMyself } from '../../state/use-myself.ts';
import { peopleTexts } from '../../texts/people.ts';

interface Props {
  legend: string;
  isLegendHidden?: boolean;
  chosen: Role;
  onChoose: (role: Role) => void;
}

export function RoleChoices({ legend, isLegendHidden = false, chosen, onChoose }: Props) {
  const isOwner = useMyself().data?.role === 'owner';
  const offered = ROLES.filter((role) => role !== 'owner' || isOwner || chosen === 'owner').toReversed();
  return (
    <RadioChoices
      legend={legend}
      isLegendHidden={isLegendHidden}
      choices={offered.map((value) => ({
        value,
        name: peopleTexts.roles[value],
        about: peopleTexts.rolesAbout[value],
      }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
