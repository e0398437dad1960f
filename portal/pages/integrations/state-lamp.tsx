// Shows the state of an integration for this person. Only a credential that was checked is green.
import { hasNothing, isBuiltIn, isKnown, isUsable, type WithState } from '../../connect/state.ts';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { daysUntil } from '../../parts/days-until.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { texts } from '../../texts/texts.ts';
import { sectionOf } from './sections.ts';

const words = texts.states;

export function StateLamp({ integration }: { integration: WithState }) {
  const { status, health, expiresAt } = integration;
  if (integration.authType === 'none' && !isBuiltIn(integration))
    return <LampOfSource integration={integration} />;
  // A credential that was taken says nothing while the source has shown no tools.
  if (isUseless(integration)) return <Lamp colour="red">{words.notReached}</Lamp>;
  if (!isKnown(integration) && integration.team !== undefined)
    return <AccountLamp status={integration.team.status} />;
  if (!isKnown(integration) || status === undefined) return <LampOfNone integration={integration} />;
  switch (status) {
    case 'reconnect':
      return <Lamp colour="red">{words.reconnect}</Lamp>;
    case 'unreachable':
      return <Lamp colour="amber">{words.unreachable}</Lamp>;
    case 'unverified':
      return health === 'expiring' ? (
        <Expiring at={expiresAt} />
      ) : (
        <Lamp colour="off">{words.unverified}</Lamp>
      );
    case 'ok':
      return health === 'expiring' ? <Expiring at={expiresAt} /> : <Lamp colour="green">{words.ok}</Lamp>;
  }
}

/** Tells whether nothing works: the last check failed, and no earlier one has found a tool. */
function isUseless(integration: WithState): boolean {
  const { imported } = integration;
  return isUsable(integration) && imported !== undefined && hasNothing(imported);
}

function Expiring({ at = 0 }: { at: number | undefined }) {
  return <Lamp colour="amber">{words.expiring(daysUntil(at))}</Lamp>;
}

/** An added service without sign-in: the gateway has asked its source, or has not yet. */
function LampOfSource({ integration: { imported } }: { integration: WithState }) {
  if (imported === undefined || imported.checkedAt === null)
    return <Lamp colour="off">{words.unverified}</Lamp>;
  if (imported.checkError !== null)
    return <Lamp colour={hasNothing(imported) ? 'red' : 'amber'}>{words.notReached}</Lamp>;
  return <Lamp colour="green">{words.ready}</Lamp>;
}

function LampOfNone({ integration }: { integration: WithState }) {
  switch (sectionOf(integration)) {
    case 'builtIn':
      return <Lamp colour="green">{words.ready}</Lamp>;
    case 'waiting':
      return <Lamp colour="off">{words.waiting}</Lamp>;
    default:
      return <Lamp colour="off">{words.notConnected}</Lamp>;
  }
}
