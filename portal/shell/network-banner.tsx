// Warns that the page may be out of date while the browser is offline or the gateway is slow.
import { useEffect, useState } from 'preact/hooks';
import { Lamp } from '../parts/lamp.tsx';
import { useSlow } from '../state/use-slow.ts';
import { texts } from '../texts/texts.ts';

export function NetworkBanner() {
  const online = useOnline();
  const slow = useSlow();
  return (
    <div role="status">
      {(!online || slow) && (
        <p class="banner">
          <Lamp colour="amber">{online ? texts.failures.slow : texts.failures.offlineBanner}</Lamp>
        </p>
      )}
    </div>
  );
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
