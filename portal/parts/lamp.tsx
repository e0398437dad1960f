// Renders a small lamp and a word beside it. The word carries the meaning; the colour only helps.
import type { ComponentChildren } from 'preact';

export type LampColour = 'green' | 'amber' | 'red' | 'off';

export function Lamp({
  colour,
  blinking = false,
  children,
}: {
  colour: LampColour;
  blinking?: boolean;
  children: ComponentChildren;
}) {
  return (
    <span class={`lamp lamp-${colour}`}>
      <span class={blinking ? 'lamp-light lamp-blinking' : 'lamp-light'} aria-hidden="true" />
      <span class="lamp-word">{children}</span>
    </span>
  );
}
