// Shows why a page could not load its data, and whether it retries.
import type { Resource } from '../state/use-resource.ts';
import { isTemporary } from '../state/use-retry.ts';
import { texts } from '../texts/texts.ts';
import { explain, ErrorNotice } from './error-notice.tsx';

export function NotLoaded({ of: resources }: { of: readonly Pick<Resource<unknown>, 'error' | 'reload'>[] }) {
  const failed = resources.filter(({ error }) => error !== undefined);
  const error = failed[0]?.error;
  if (error === undefined) return null;
  const { retrying, loadsByItself } = texts.failures;
  const message = explain(error);
  return (
    <ErrorNotice
      message={isTemporary(error) ? `${message} ${navigator.onLine ? retrying : loadsByItself}` : message}
      onRetry={() => {
        for (const { reload } of failed) reload();
      }}
    />
  );
}
