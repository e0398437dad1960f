// Before it is known who is here: starting up, or a gateway that does not answer.
import type { ApiError } from '../api/client.ts';
import { explain, Failed } from '../parts/failed.tsx';
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
      <Failed message={`${explain(error)} ${texts.failures.retrying}`} onRetry={onRetry} />
    </main>
  );
}
