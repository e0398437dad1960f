// Renders the button that asks the gateway for the provider's address and opens it.
import { useEffect, useState } from 'preact/hooks';
import { fetchProviderUrl, type NamedProvider } from '../../api/auth.ts';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { texts } from '../../texts/texts.ts';

/** Only the first provider has the colour: two equal buttons leave people to guess. */
export function ProviderButton({ provider, name, isFirst }: NamedProvider & { isFirst: boolean }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    // The person came back from the provider to a page from the back/forward cache.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);

  async function begin(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      location.assign(await fetchProviderUrl(provider));
    } catch (error) {
      setBusy(false);
      setProblem(explain(error));
    }
  }

  return (
    <>
      <button
        type="button"
        class={isFirst ? 'button button-primary button-wide' : 'button button-wide'}
        aria-disabled={busy}
        onClick={() => void begin()}
      >
        {texts.signIn.continueWith(name)}
      </button>
      {problem !== '' && <ErrorNotice message={problem} />}
    </>
  );
}
