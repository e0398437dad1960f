// Says when something was used last.
import { RelativeTime } from './relative-time.tsx';

interface Props {
  words: { lastUsed: string; neverUsed: string };
  /** Unix seconds. Absent for something that was never used. */
  at: number | null | undefined;
}

export function LastUse({ words, at }: Props) {
  if (at === null || at === undefined) return <span>{words.neverUsed}</span>;
  return (
    <span>
      {words.lastUsed} <RelativeTime at={at} />
    </span>
  );
}
