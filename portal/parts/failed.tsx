// Something that could not be had, why, and another try.
import { useRef } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { texts } from '../texts/texts.ts';
import { useFocusHeir } from './focus-heir.ts';
import { Icon } from './icon.tsx';
import { Lamp } from './lamp.tsx';

export function Failed({ message, onRetry }: { message: string; onRetry?: () => void }) {
  const notice = useRef<HTMLDivElement>(null);
  useFocusHeir(notice);
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

/** What to tell a person about an error. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return navigator.onLine ? texts.failures.unanswered : texts.failures.offline;
  return error.message === '' ? texts.failures.unnamed(error.status) : error.message;
}
