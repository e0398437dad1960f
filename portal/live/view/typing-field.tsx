// Where the person types: over the site's own field and named like it, so that password managers and screen readers
// find it; or in a corner, while no field there has the focus.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import type { Field } from '../remote/protocol.ts';
import type { Place } from '../input/place.ts';

interface Props {
  field: Field | null;
  place: Place;
  /** Changes whenever the person turns to the site. */
  turn: number;
  /** They want to type, whatever has the focus there. */
  keyboard: boolean;
}

const words = texts.live;
const NOWHERE = { x: 0, y: 0, width: 1, height: 1 };

// One field in all places: a focus that moved with the site's could be lost on the way.
export function TypingField({ field, place, turn, keyboard }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const helpId = useId();
  const label = field === null ? words.typing : field.label === '' ? words.field : field.label;

  // At once: phones open their keyboard only in answer to a tap.
  useLayoutEffect(() => {
    if (turn > 0) input.current?.focus({ preventScroll: true });
  }, [turn]);

  useLayoutEffect(() => {
    if (input.current === null) return;
    const { x, y, width, height } = field?.rect ?? NOWHERE;
    const { scale, offsetTop } = place;
    const box = { left: x, top: y + offsetTop, width, height };
    for (const [name, length] of Object.entries(box))
      input.current.style.setProperty(name, `${Math.round(length * scale)}px`);
  });

  return (
    <>
      <input
        ref={input}
        class="live-field"
        data-typing=""
        {...(field?.type === 'password' ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
        // Without a field to type into, a phone's keyboard would only be in the way.
        inputMode={field === null && !keyboard ? 'none' : inputModeOf(field)}
        autocomplete={autocompleteOf(field)}
        autoCapitalize="off"
        spellcheck={false}
        aria-label={label}
        aria-describedby={helpId}
      />
      <span id={helpId} class="visually-hidden">
        {words.typingHelp}
      </span>
      <span class="visually-hidden" role="status">
        {field !== null && label}
      </span>
    </>
  );
}

const MODES = ['text', 'email', 'tel', 'url', 'search', 'numeric', 'decimal'] as const;
const MODES_OF_TYPES: Readonly<Record<string, string>> = { number: 'decimal', date: 'numeric' };

/** As the site has it, or as its type has it by itself. */
function inputModeOf(field: Field | null): (typeof MODES)[number] {
  const { inputMode = '', type = '' } = field ?? {};
  const wished = inputMode === '' ? (MODES_OF_TYPES[type] ?? type) : inputMode;
  return MODES.find((mode) => mode === wished) ?? 'text';
}

/** As the site has it; where it says nothing, what its type says to a password manager. */
function autocompleteOf(field: Field | null): string {
  if (field === null) return 'off';
  if (field.autocomplete !== '' && field.autocomplete !== 'on') return field.autocomplete;
  if (field.type === 'password') return 'current-password';
  return field.type === 'email' ? 'username' : 'off';
}
