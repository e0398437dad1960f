// Renders an exception: what it is about, what is decided, and a button that removes it.
import { useState } from 'preact/hooks';
import type { Decision } from '../../api/policy.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { Link } from '../../router/link.tsx';
import { rulesTexts } from '../../texts/rules.ts';
import type { MenuControl } from './choice-menu.tsx';
import { DecisionButton } from './decision-button.tsx';
import type { ShownException } from './exception-list.ts';
import { DECISIONS } from './rule-list.ts';

const words = rulesTexts.exceptions;

interface Props {
  exception: ShownException;
  control: MenuControl;
  onSet: (decision: Decision) => Promise<void>;
  onRemove: () => Promise<void>;
}

export function ExceptionRow({ exception, control, onSet, onRemove }: Props) {
  const { subject, detail, href, decision } = exception;
  const [problem, setProblem] = useState('');
  const whole = target(exception);

  async function choose(value: string): Promise<void> {
    const chosen = DECISIONS.find((each) => each === value);
    if (chosen === undefined) return;
    setProblem('');
    await onSet(chosen).catch((error: unknown) => setProblem(explain(error)));
  }

  return (
    <li class="exception">
      <div class="exception-words">
        <h3>{href === undefined ? subject : <Link href={href}>{subject}</Link>}</h3>
        <p class="muted">{detail}</p>
      </div>
      <DecisionButton
        decision={decision}
        named={rulesTexts.tool.change(whole, rulesTexts.decided[decision])}
        control={control}
        content={() => ({
          title: words.decisionOf(whole),
          chosen: decision,
          choices: DECISIONS.map((each) => ({
            value: each,
            label: rulesTexts.decisions[each],
            about: rulesTexts.tool.about[each],
            isClosed: false,
          })),
          note: '',
          onChoose: (value) => void choose(value),
        })}
      />
      <ActionButton label={words.remove} named={words.removeOf(whole)} onAct={onRemove} />
      {problem !== '' && <ErrorNotice message={problem} />}
    </li>
  );
}

const target = ({ subject, detail }: ShownException): string =>
  detail === '' ? subject : `${subject}, ${detail}`;
