// Renders a channel: how it works, what it tells, and what can be done with it.
import {
  changeChannel,
  deleteChannel,
  type NoticeChannel,
  type NoticeKind,
  testChannel,
} from '../../../api/notices.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Lamp, type LampColour } from '../../../parts/lamp.tsx';
import type { Outcome } from '../../../parts/outcome-line.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { Row } from '../../../parts/row.tsx';
import { useWork } from '../../../parts/use-work.ts';
import { noticesTexts as words } from '../../../texts/notices.ts';

interface Props {
  of: NoticeChannel;
  kinds: readonly NoticeKind[];
  onChanged: (channel: NoticeChannel) => void;
  onDeleted: () => void;
  onOutcome: (outcome: Outcome) => void;
}

const COLOURS: Record<NoticeChannel['state'], LampColour> = {
  ok: 'green',
  new: 'off',
  failing: 'amber',
  disabled: 'red',
};

export function ChannelRow({ of: channel, kinds, onChanged, onDeleted, onOutcome }: Props) {
  const { id, name, state, failingSince, lastError, lastSentAt } = channel;
  return (
    <Row
      name={name}
      heading="h2"
      id={channel.place}
      facts={
        <>
          <span>{words.of[channel.channel]}</span>
          <Lamp colour={COLOURS[state]}>{words.states[state]}</Lamp>
          {failingSince !== undefined && (
            <span>
              {words.since} <RelativeTime at={failingSince} />
            </span>
          )}
          {lastSentAt !== undefined && (
            <span>
              {words.lastSent} <RelativeTime at={lastSentAt} />
            </span>
          )}
        </>
      }
      after={
        channel.purpose === 'notices' && <KindSwitches of={channel} kinds={kinds} onChanged={onChanged} />
      }
      actions={
        <div class="row">
          {state === 'disabled' ? (
            <ActionButton
              label={words.enable}
              named={words.enableOf(name)}
              onAct={async () => {
                onChanged(await changeChannel(id, { disabled: false }));
                onOutcome({ words: words.enabled(name), takesFocus: true });
              }}
            />
          ) : (
            <ActionButton
              label={words.test}
              named={words.testOf(name)}
              onAct={async () => {
                await testChannel(id);
                onOutcome({ words: words.tested(name) });
              }}
            />
          )}
          <ConfirmButton
            label={words.remove}
            named={words.removeOf(name)}
            title={words.removeTitle(name)}
            onConfirm={async () => {
              await deleteChannel(id);
              onDeleted();
            }}
          >
            <p>{words.removeEffect}</p>
          </ConfirmButton>
        </div>
      }
    >
      {channel.purpose === 'events' && <p class="muted">{words.forEvents}</p>}
      {lastError !== undefined && <p class="notices-error">{lastError}</p>}
    </Row>
  );
}

function KindSwitches({
  of: { id, name, kinds: chosen },
  kinds,
  onChanged,
}: Pick<Props, 'of' | 'kinds' | 'onChanged'>) {
  const { problem, run } = useWork();
  function toggle(kind: NoticeKind): void {
    const next = kinds.filter((each) => (each === kind ? !chosen.includes(each) : chosen.includes(each)));
    void run(async () => onChanged(await changeChannel(id, { kinds: next })));
  }
  return (
    <fieldset class="notices-kinds">
      <legend class="visually-hidden">{words.tells(name)}</legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} />
          {words.kinds[kind]}
        </label>
      ))}
      {problem !== undefined && <ErrorNotice {...problem} />}
    </fieldset>
  );
}
