// Draws the calls of a run as bars along its time, in the order in which the script made them.
import type { ShownRunCall } from '../../api/scripts.ts';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Link } from '../../router/link.tsx';
import { scriptsTexts } from '../../texts/scripts.ts';

const words = scriptsTexts.run;
const COLOURS: Record<ShownRunCall['state'], LampColour> = { ok: 'green', error: 'red', waiting: 'amber' };

const WAITING_ROOM = 1.25;

/** The code of an error is for the script. */
const withoutCode = (error: string): string => error.replace(/^[A-Z_]{4,}: /, '');

const durationOf = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

export function TimeLine({ calls }: { calls: ShownRunCall[] }) {
  const last = Math.max(1, ...calls.map(({ startedAt, endedAt }) => endedAt ?? startedAt));
  // A call that waits needs some room of its own: its end is not known.
  const whole = calls.some(({ endedAt }) => endedAt === null) ? last * WAITING_ROOM : last;
  const percent = (ms: number) => `${(100 * Math.min(ms, whole)) / whole}%`;
  return (
    <ol class="time-line" aria-label={words.timeLine}>
      {calls.map(({ index, tool, integration, state, error, line, startedAt, endedAt, approval }) => (
        <li key={index} class="time-line-call">
          <span class="time-line-name">
            {integration !== null && (
              <Logo src={`/api/integrations/${integration}/logo`} name={integration} />
            )}
            <span class="time-line-tool">{tool}</span>
          </span>
          <span class="time-line-track" aria-hidden="true">
            <span
              class={`time-line-bar time-line-${state}`}
              style={{
                left: percent(startedAt),
                // The call that waits reaches to the end, which is not known yet.
                width: endedAt === null ? 'auto' : percent(endedAt - startedAt),
                right: endedAt === null ? '0' : 'auto',
              }}
            />
          </span>
          <span class="muted time-line-facts">
            <Lamp colour={COLOURS[state]}>{words.callStates[state]}</Lamp>
            {endedAt !== null && <span>{durationOf(endedAt - startedAt)}</span>}
            {line !== null && <span>{words.line(line)}</span>}
          </span>
          {error !== null && <p class="time-line-note">{withoutCode(error)}</p>}
          {state === 'waiting' && approval !== null && (
            <p class="time-line-note">
              <Link
                href={`/approvals/${approval.id}`}
                class="button button-primary"
                aria-label={words.approveOf(tool)}
              >
                {words.approve}
              </Link>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
