// Shows an error, with a button that tries again.
import { useRef } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { texts } from '../texts/texts.ts';
import { useFocusFallback } from './focus-fallback.ts';
import { Icon } from './icon.tsx';
import { Lamp } from './lamp.tsx';

export function ErrorNotice({ message, onRetry }: { message: string; onRetry?: () => void }) {
  const notice = useRef<HTMLDivElement>(null);
  useFocusFallback(notice);
  return (
    <div ref={notice} class="notice" role="alert">
      <Lamp colour="red">{message}</Lamp>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          <Icon name="refresh" />
          {texts.actions.retry}
        </button>
      )}
    </div>
  );
}

/** Returns the text that tells a person about an error. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return navigator.onLine ? texts.failures.unanswered : texts.failures.offline;
  return error.message === '' ? texts.failures.unnamed(error.status) : error.message;
}
