// Renders a native select list, which no screencast shows, as a list box in its place.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import type { SelectList, SelectOption } from '../remote/protocol.ts';
import type { Place } from '../input/place.ts';

interface Props {
  list: SelectList;
  place: Place;
  /** Passes -1 when the person chooses nothing. */
  onPick: (index: number) => void;
}

const TYPE_AHEAD_MS = 700;

export function OptionList({ list, place, onPick }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const { options, label } = list;
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ selected }) => selected),
    ),
  );

  useLayoutEffect(() => {
    const { style, offsetHeight, parentElement } = box.current ?? {};
    if (style === undefined || parentElement === null || parentElement === undefined) return;
    const { scale, offsetTop } = place;
    const room = parentElement.getBoundingClientRect();
    const rect = list.rect ?? { x: 0, y: 0, width: 0, height: 0 };
    const bottom = (rect.y + rect.height + offsetTop) * scale;
    // Opens below its field, or as low as it fits.
    style.setProperty('top', `${Math.max(8, Math.min(bottom, room.height - (offsetHeight ?? 0) - 8))}px`);
    style.setProperty('left', `${Math.max(8, Math.min(rect.x * scale, room.width - 208))}px`);
    style.setProperty('min-width', `${Math.min(Math.max(200, rect.width * scale), room.width - 16)}px`);
  }, []);

  // Takes the focus as soon as the list is in place: the next key is for the list.
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), [current]);

  function step(from: number, by: number): void {
    for (let index = from; index >= 0 && index < options.length; index += by) {
      if (options[index]?.disabled === false) return setCurrent(index);
    }
  }

  const isTyping = (now: number) => typed.current.text !== '' && now - typed.current.at <= TYPE_AHEAD_MS;

  function find(key: string, now: number): void {
    typed.current = { text: (isTyping(now) ? typed.current.text : '') + key.toLowerCase(), at: now };
    const found = options.findIndex(
      (option) => !option.disabled && option.label.trim().toLowerCase().startsWith(typed.current.text),
    );
    if (found !== -1) setCurrent(found);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') step(current + 1, 1);
    else if (event.key === 'ArrowUp') step(current - 1, -1);
    else if (event.key === 'Home') step(0, 1);
    else if (event.key === 'End') step(options.length - 1, -1);
    // While the person types a name, a space is part of the name: "New Z".
    else if (event.key === 'Enter' || (event.key === ' ' && !isTyping(event.timeStamp))) onPick(current);
    else if (event.key === 'Escape' || event.key === 'Tab') onPick(-1);
    else if (event.key.length === 1) find(event.key, event.timeStamp);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div class="live-list-out" onClick={() => onPick(-1)} />
      <div
        ref={box}
        class="live-list"
        role="listbox"
        aria-label={label === '' ? texts.live.list.title : label}
        onKeyDown={onKeyDown}
      >
        {groupOptions(options).map(({ group, members }) => (
          <div
            key={members[0]?.index}
            role={group === '' ? 'presentation' : 'group'}
            aria-label={group === '' ? undefined : group}
          >
            {group !== '' && (
              <div class="live-list-group" aria-hidden="true">
                {group}
              </div>
            )}
            {members.map(({ option, index }) => (
              <div
                key={index}
                role="option"
                aria-selected={option.selected}
                aria-disabled={option.disabled}
                tabIndex={index === current ? 0 : -1}
                onClick={() => !option.disabled && onPick(index)}
              >
                {option.label.trim() === '' ? '\u00a0' : option.label}
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

interface Group {
  group: string;
  members: { option: SelectOption; index: number }[];
}

/** Puts neighbours of the same group together. */
function groupOptions(options: readonly SelectOption[]): Group[] {
  const groups: Group[] = [];
  for (const [index, option] of options.entries()) {
    const last = groups.at(-1);
    if (last?.group === option.group) last.members.push({ option, index });
    else groups.push({ group: option.group, members: [{ option, index }] });
  }
  return groups;
}
