// Warns that the page may be out of date while the browser is offline, or the gateway is slow or does not answer.
import { useEffect, useState } from 'preact/hooks';
import { Lamp } from '../parts/lamp.tsx';
import { useLine } from '../state/use-line.ts';
import { useSlow } from '../state/use-slow.ts';
import { texts } from '../texts/texts.ts';

const { failures } = texts;

export function NetworkBanner() {
  const online = useOnline();
  const up = useLine();
  const slow = useSlow();
  const said = !online ? failures.offlineBanner : up ? failures.slow : failures.reconnecting;
  return (
    <div role="status" class="banners">
      {(!online || !up || slow) && (
        <p class="banner">
          <Lamp colour="amber">{said}</Lamp>
        </p>
      )}
    </div>
  );
}

/** Lights beside the product's name while the gateway does not answer. The banner says it in words. */
export function LineLamp() {
  const online = useOnline();
  const up = useLine();
  return online && up ? null : <span class="lamp-light lamp-amber line-lamp" aria-hidden="true" />;
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return online;
}
