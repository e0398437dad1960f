// Tells whether the gateway answers, and renders the component again when that changes.
import { useEffect, useState } from 'preact/hooks';
import { isLineUp, whenLineChanges } from '../api/line.ts';

export function useLine(): boolean {
  const [up, setUp] = useState(isLineUp);
  useEffect(() => {
    const look = () => setUp(isLineUp());
    look();
    return whenLineChanges(look);
  }, []);
  return up;
}
