// Shows the start screen, and the error page for a gateway that does not respond.
import type { ApiError } from '../api/client.ts';
import { explain, ErrorNotice } from '../parts/error-notice.tsx';
import { Mark } from '../parts/mark.tsx';
import { texts } from '../texts/texts.ts';

export function Starting() {
  return (
    <main class="alone" aria-busy="true">
      <Mark />
      <p class="visually-hidden" role="status">
        {texts.loading}
      </p>
    </main>
  );
}

export function Unreachable({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <main class="alone">
      <Mark />
      <h1 class="page-title">{texts.failures.unreachableTitle}</h1>
      <ErrorNotice message={`${explain(error)} ${texts.failures.retrying}`} onRetry={onRetry} />
    </main>
  );
}
