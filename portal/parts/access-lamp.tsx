// Shows what a tool may do: read, write or delete. decision: 038
import type { Access } from '../api/tools.ts';
import { texts } from '../texts/texts.ts';
import { Lamp, type LampColour } from './lamp.tsx';

const COLOURS: Record<Access, LampColour> = { read: 'off', write: 'amber', destroy: 'red' };

export function AccessLamp({ access }: { access: Access }) {
  return <Lamp colour={COLOURS[access]}>{texts.access[access]}</Lamp>;
}
