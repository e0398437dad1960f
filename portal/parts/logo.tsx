// Renders an integration's logo, or its first letter without a logo. The name always appears beside it.
import { useState } from 'preact/hooks';

export function Logo({ src, name }: { src: string | null; name: string }) {
  const [missing, setMissing] = useState(false);
  return src === null || missing ? (
    <span class="logo logo-letter" aria-hidden="true">
      {name.slice(0, 1).toUpperCase()}
    </span>
  ) : (
    <img class="logo" src={src} alt="" width="40" height="40" onError={() => setMissing(true)} />
  );
}
