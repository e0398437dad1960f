// Whether what was asked for is still wanted when it comes: not once the person has gone on to something else.
import { useLayoutEffect, useRef } from 'preact/hooks';

export function useWanted(): () => boolean {
  const wanted = useRef(false);
  useLayoutEffect(() => {
    wanted.current = true;
    return () => {
      wanted.current = false;
    };
  }, []);
  return () => wanted.current;
}
