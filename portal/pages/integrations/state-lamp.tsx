// Shows the state of an integration for this person.
import type { WithState } from '../../connect/state.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { texts } from '../../texts/texts.ts';
import { sectionOf } from './sections.ts';

export function StateLamp({ integration }: { integration: WithState }) {
  switch (sectionOf(integration)) {
    case 'attention':
      return <Lamp colour="amber">{texts.health[integration.health]}</Lamp>;
    case 'connected':
      return <Lamp colour="green">{texts.health.ok}</Lamp>;
    case 'builtIn':
      return <Lamp colour="green">{texts.states.ready}</Lamp>;
    case 'available':
      return <Lamp colour="off">{texts.states.notConnected}</Lamp>;
    case 'waiting':
      return <Lamp colour="off">{texts.states.waiting}</Lamp>;
  }
}
