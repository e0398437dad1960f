// Asks the gateway where signing in with this provider begins, and goes there.
import { useEffect, useState } from 'preact/hooks';
import { fetchProviderUrl } from '../../api/auth.ts';
import { explain, Failed } from '../../parts/failed.tsx';
import { texts } from '../../texts/texts.ts';

interface Props {
  provider: string;
  /** Where there is nothing to choose, its kind says nothing to anybody. */
  only: boolean;
}

export function ProviderButton({ provider, only }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    // Back from the provider to a page that the window has kept as it was.
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
        class="button button-primary button-wide"
        aria-disabled={busy}
        onClick={() => void begin()}
      >
        {only ? texts.signIn.goOn : texts.signIn.continueWith(texts.signIn.providers[provider] ?? provider)}
      </button>
      {problem !== '' && <Failed message={problem} />}
    </>
  );
}
