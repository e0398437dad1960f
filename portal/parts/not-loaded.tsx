// Shows why a page could not load its data, and whether it retries.
import type { Resource } from '../state/use-resource.ts';
import { isTemporary } from '../state/use-retry.ts';
import { useLine } from '../state/use-line.ts';
import { texts } from '../texts/texts.ts';
import { explain, ErrorNotice } from './error-notice.tsx';
import { Skeleton } from './skeleton.tsx';

type Loading = Pick<Resource<unknown>, 'error' | 'reload'> & { data?: unknown };

export function NotLoaded({ of: resources }: { of: readonly Loading[] }) {
  const isUp = useLine();
  const failed = resources.filter(({ error }) => error !== undefined);
  const error = failed[0]?.error;
  if (error === undefined) return null;
  // The banner of all pages says it once.
  if (!isUp && navigator.onLine && isTemporary(error))
    return failed.some(({ data }) => data === undefined) ? <Skeleton rows={4} /> : null;
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
