// Shows the state of a run.
import type { ShownRun } from '../../api/scripts.ts';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { scriptsTexts } from '../../texts/scripts.ts';

const COLOURS: Record<ShownRun['state'], LampColour> = {
  running: 'amber',
  waiting: 'amber',
  done: 'green',
  failed: 'red',
  cancelled: 'off',
};

export const RunLamp = ({ state }: { state: ShownRun['state'] }) => (
  <Lamp colour={COLOURS[state]} blinking={state === 'running'}>
    {scriptsTexts.states[state]}
  </Lamp>
);
