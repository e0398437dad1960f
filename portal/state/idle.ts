// Knows whether the person uses the portal at the moment: a page that nobody touches asks the gateway less often.
const IDLE_AFTER_MS = 60_000;
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focus'] as const;

const returns = new EventTarget();
let lastInput = Date.now();

export const isIdle = (): boolean => Date.now() - lastInput > IDLE_AFTER_MS;

/** Calls back when the person touches a page that nobody has touched for a while. Returns a function that stops listening. */
export function whenBack(callback: () => void): () => void {
  returns.addEventListener('back', callback);
  return () => returns.removeEventListener('back', callback);
}

for (const input of INPUTS)
  window.addEventListener(
    input,
    () => {
      const wasIdle = isIdle();
      lastInput = Date.now();
      if (wasIdle) returns.dispatchEvent(new Event('back'));
    },
    { capture: true, passive: true },
  );
