// Shows how the credentials of one account do.
import type { Status } from '../api/integrations.ts';
import { texts } from '../texts/texts.ts';
import { Lamp } from './lamp.tsx';

const COLOURS = { ok: 'green', reconnect: 'red', unreachable: 'amber', unverified: 'off' } as const;

export function AccountLamp({ status }: { status: Status }) {
  return <Lamp colour={COLOURS[status]}>{texts.states[status]}</Lamp>;
}
