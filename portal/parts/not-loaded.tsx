// What a page could not get from the gateway, why, and what happens about it.
import type { Resource } from '../state/use-resource.ts';
import { mayPass } from '../state/use-retry.ts';
import { texts } from '../texts/texts.ts';
import { explain, Failed } from './failed.tsx';

export function NotLoaded({ of: resources }: { of: readonly Pick<Resource<unknown>, 'error' | 'reload'>[] }) {
  const failed = resources.filter(({ error }) => error !== undefined);
  const error = failed[0]?.error;
  if (error === undefined) return null;
  const { retrying, loadsByItself } = texts.failures;
  const message = explain(error);
  return (
    <Failed
      message={mayPass(error) ? `${message} ${navigator.onLine ? retrying : loadsByItself}` : message}
      onRetry={() => {
        for (const { reload } of failed) reload();
      }}
    />
  );
}
