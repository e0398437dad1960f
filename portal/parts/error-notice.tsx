// Shows an error, with a button that tries again.
import { useRef } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { texts } from '../texts/texts.ts';
import { useFocusFallback } from './focus-fallback.ts';
import { Icon } from './icon.tsx';
import { Lamp } from './lamp.tsx';

/** What a person is told about an error. */
export interface Problem {
  message: string;
  /** What there is to say below the message, a line each. */
  lines?: readonly string[] | undefined;
  /** Another try may succeed. */
  isTemporary?: boolean;
}

type Props = Pick<Problem, 'message' | 'lines'> & { onRetry?: () => void };

export function ErrorNotice({ message, lines, onRetry }: Props) {
  const notice = useRef<HTMLDivElement>(null);
  useFocusFallback(notice);
  return (
    <div ref={notice} class="notice" role="alert">
      {lines === undefined ? (
        <Lamp colour="red">{message}</Lamp>
      ) : (
        <Details message={message} lines={lines} />
      )}
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          <Icon name="refresh" />
          {texts.actions.retry}
        </button>
      )}
    </div>
  );
}

function Details({ message, lines }: { message: string; lines: readonly string[] }) {
  return (
    <div>
      <Lamp colour="red">
        <strong>{message}</strong>
      </Lamp>
      {lines.map((line) => (
        <p key={line} class="muted problem-line">
          {line}
        </p>
      ))}
    </div>
  );
}

export function problemOf(error: unknown): Problem {
  return { message: explain(error) };
}

/** Returns the text that tells a person about an error. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return navigator.onLine ? texts.failures.unanswered : texts.failures.offline;
  return error.message === '' ? texts.failures.unnamed(error.status) : error.message;
}
