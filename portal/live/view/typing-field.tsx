// Renders the field that people type into. It lies over the site's focused field and has its name, so that password
// managers and screen readers find it. Without a focused field it waits in a corner.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import type { Field } from '../remote/protocol.ts';
import type { Place } from '../input/place.ts';

interface Props {
  field: Field | null;
  place: Place;
  /** Changes whenever the site should get the focus. */
  turn: number;
  /** True when the person asked for the keyboard, even without a focused field. */
  keyboard: boolean;
}

const words = texts.live;
const NOWHERE = { x: 0, y: 0, width: 1, height: 1 };

// The same input serves every field: moving the focus between inputs could lose it.
export function TypingField({ field, place, turn, keyboard }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const helpId = useId();
  const label = field === null ? words.typing : field.label === '' ? words.field : field.label;

  // Focuses in the same turn, because phones open their keyboard only in the handler of a tap.
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
        // Hides a phone's keyboard while the site has no focused field.
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

/** Returns the input mode that the site sets, or the one that fits the field's type. */
function inputModeOf(field: Field | null): (typeof MODES)[number] {
  const { inputMode = '', type = '' } = field ?? {};
  const mode = inputMode === '' ? (MODES_OF_TYPES[type] ?? type) : inputMode;
  return MODES.find((each) => each === mode) ?? 'text';
}

/** Returns the autocomplete value that the site sets, or one that tells a password manager the field's type. */
function autocompleteOf(field: Field | null): string {
  if (field === null) return 'off';
  if (field.autocomplete !== '' && field.autocomplete !== 'on') return field.autocomplete;
  if (field.type === 'password') return 'current-password';
  return field.type === 'email' ? 'username' : 'off';
}
