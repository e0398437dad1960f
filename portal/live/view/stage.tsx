// Renders the stage: the picture, the typing field, and the lists and dialogs that a picture lacks.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import { listenToTyping } from '../input/typing.ts';
import type { LiveState } from '../remote/state.ts';
import type { Viewer } from '../remote/viewer.ts';
import { type Place, UNSCALED } from '../input/place.ts';
import { OptionList } from './option-list.tsx';
import { Picture } from './picture.tsx';
import { Question } from './question.tsx';
import { TypingField } from './typing-field.tsx';

interface Props {
  viewer: Viewer;
  state: LiveState;
  /** Changes when a button beside the stage returns the focus to the site. */
  turn: number;
  keyboard: boolean;
  onLeave: () => void;
}

export function Stage({ viewer, state, turn, keyboard, onLeave }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>(UNSCALED);
  const [turns, setTurns] = useState(0);
  const use = useCallback(() => setTurns((count) => count + 1), []);
  const { field, cursor, list, dialog } = state;

  useEffect(() => {
    if (stage.current === null) return;
    return listenToTyping(stage.current, { ...viewer, leave: onLeave });
  }, [viewer]);

  return (
    <div ref={stage} class="live-screen" role="group" aria-label={texts.live.stage}>
      <Picture viewer={viewer} cursor={cursor} onPlace={setPlace} onUse={use} />
      <TypingField field={field} place={place} turn={turn + turns} keyboard={keyboard} />
      {list !== null && (
        <OptionList
          key={list.id}
          list={list}
          place={place}
          onPick={(index) => {
            viewer.pick(index);
            use();
          }}
        />
      )}
      {dialog !== null && (
        <Question
          dialog={dialog}
          onAnswer={(accept, text) => {
            viewer.answer(accept, text);
            use();
          }}
        />
      )}
    </div>
  );
}
