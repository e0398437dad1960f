// Whether the gateway lets the portal wait for longer than people wait without wondering.
import { useEffect, useState } from 'preact/hooks';
import { isSlow, whenSlownessChanges } from '../api/waiting.ts';

export function useSlow(): boolean {
  const [slow, setSlow] = useState(isSlow);
  useEffect(() => {
    const look = () => setSlow(isSlow());
    look();
    return whenSlownessChanges(look);
  }, []);
  return slow;
}
