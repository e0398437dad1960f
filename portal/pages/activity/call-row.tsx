// Renders a call: its tool, outcome, duration and time.
import type { AuditEntry } from '../../api/types.ts';
import { duration } from '../../parts/amounts.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.activity;

interface Props {
  entry: AuditEntry;
  /** The integration's display name. */
  of: string;
}

export function CallRow({ entry, of }: Props) {
  const { tool, success, error, duration_ms, created_at } = entry;
  return (
    <li class="call">
      <div class="call-what">
        <p class="call-tool">{tool}</p>
        <p class="call-where">{of}</p>
      </div>
      <span class="call-outcome">
        <Lamp colour={success ? 'green' : 'red'}>{success ? words.succeeded : words.failed}</Lamp>
      </span>
      <span class="call-duration">
        <span class="visually-hidden">{words.columns.duration} </span>
        {duration(duration_ms)}
      </span>
      <span class="call-when">
        <RelativeTime at={created_at} />
      </span>
      {error !== null && (
        <p class="call-error">{error === 'NOT_CONNECTED' ? words.notConnected(of) : error}</p>
      )}
    </li>
  );
}
