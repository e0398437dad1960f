// Does something again and again, while it is wanted and the page can be seen.
import { useEffect } from 'preact/hooks';

export function usePoll(wanted: boolean, everyMs: number, work: () => void): void {
  useEffect(() => {
    if (!wanted) return;
    const ifSeen = () => {
      if (document.visibilityState === 'visible') work();
    };
    const timer = setInterval(ifSeen, everyMs);
    document.addEventListener('visibilitychange', ifSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ifSeen);
    };
  }, [wanted, everyMs]);
}
