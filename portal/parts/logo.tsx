// Renders the logo of an integration out of the file that has all of them, or letters for a service that people have
// added. The name always appears beside it. decision: 051
import { useState } from 'preact/hooks';

const MARKS = new URL('../marks.svg', import.meta.url).href;

/** `src` is the path that the gateway names. */
export function Logo({ src, name }: { src: string | null; name: string }) {
  const [missing, setMissing] = useState(false);
  const mark = /^\/api\/integrations\/(\w+)\/logo$/.exec(src ?? '')?.[1];
  return mark === undefined || missing ? (
    <span class="logo logo-letter" aria-hidden="true">
      {lettersOf(name)}
    </span>
  ) : (
    <img
      class="logo"
      src={`${MARKS}#${mark}`}
      alt=""
      width="40"
      height="40"
      onError={() => setMissing(true)}
    />
  );
}

/** The first letters of the first two words. */
export function lettersOf(name: string): string {
  const letters = name.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu) ?? [];
  return letters.slice(0, 2).join('').toUpperCase();
}
