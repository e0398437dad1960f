// Shows the sign-in providers, or a hint for the operator of a gateway without providers.
import { fetchNamedProviders, type NamedProvider } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useResource } from '../../state/use-resource.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { SignedOutReason } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { ThemeSwitch } from '../../shell/theme-switch.tsx';
import { texts } from '../../texts/texts.ts';
import { OperatorHint } from './operator-hint.tsx';
import { ProviderButton } from './provider-button.tsx';

export function SignInPage({ reason }: { reason: SignedOutReason }) {
  const providers = useResource('named providers', providersOrNone);
  const hasProvider = providers.data?.length !== 0;
  return (
    <main class="alone">
      <div class="signin">
        <Mark />
        <Page title={texts.signIn.title} lead={texts.signIn.lead}>
          {reason !== 'new' && (
            <p class="notice">
              <Lamp colour={reason === 'left' ? 'off' : 'amber'}>
                {reason === 'left' || hasProvider ? texts.signIn[reason] : texts.signIn[`${reason}ByLink`]}
              </Lamp>
            </p>
          )}
          <NotLoaded of={[providers]} />
          {providers.data === undefined && providers.error === undefined && <Skeleton rows={2} />}
          {providers.data?.map((each, at) => (
            <ProviderButton key={each.provider} {...each} isFirst={at === 0} />
          ))}
          {!hasProvider && <OperatorHint />}
        </Page>
      </div>
      <ThemeSwitch />
    </main>
  );
}

// Without providers, the route may be missing (404), or match an integration's route, which needs a session (401).
async function providersOrNone(): Promise<NamedProvider[]> {
  return fetchNamedProviders().catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 401)) return [];
    throw error;
  });
}
