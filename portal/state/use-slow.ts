// Tells whether the gateway takes so long that the portal should say so.
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
