// Says that what is shown may be old, for as long as the browser has no network.
import { useEffect, useState } from 'preact/hooks';
import { Lamp } from '../parts/lamp.tsx';
import { texts } from '../texts.ts';

export function OfflineBanner() {
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
  return (
    <div role="status">
      {!online && (
        <p class="banner">
          <Lamp colour="amber">{texts.failures.offlineBanner}</Lamp>
        </p>
      )}
    </div>
  );
}
