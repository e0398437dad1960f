// Shows whether a person may sign in.
import type { Person } from '../../api/people.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { peopleTexts } from '../../texts/people.ts';

const COLOURS = { active: 'green', invited: 'amber', disabled: 'off', deleting: 'red' } as const;

export function StatusLamp({ status }: Pick<Person, 'status'>) {
  return <Lamp colour={COLOURS[status]}>{peopleTexts.statuses[status]}</Lamp>;
}
