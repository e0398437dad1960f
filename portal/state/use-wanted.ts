// Tells whether the component is still there when a response arrives.
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
