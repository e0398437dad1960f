// Renders the browser's toolbar: back, reload and the address bar.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/texts.ts';
import type { Viewer } from '../remote/viewer.ts';

const words = texts.live;

interface Props {
  viewer: Viewer;
  address: string;
  loading: boolean;
  children: ComponentChildren;
}

export function Toolbar({ viewer, address, loading, children }: Props) {
  return (
    <div class="live-bar" role="group" aria-label={words.toolbar}>
      <button type="button" class="button live-tool" aria-label={words.back} onClick={viewer.back}>
        <Icon name="back" />
      </button>
      <button type="button" class="button live-tool" aria-label={words.reload} onClick={viewer.reload}>
        <Icon name="refresh" />
      </button>
      <Address address={address} loading={loading} onGo={viewer.go} />
      {children}
    </div>
  );
}

interface AddressProps {
  address: string;
  loading: boolean;
  onGo: (address: string) => boolean;
}

function Address({ address, loading, onGo }: AddressProps) {
  /** What the person types. The site may go on by itself meanwhile, which must not replace it. */
  const [draft, setDraft] = useState<string | null>(null);
  const isSent = useRef(false);
  const text = draft ?? address;
  useEffect(() => {
    if (isSent.current) setDraft(null);
  }, [address]);
  const isSafe = address.startsWith('https:');

  return (
    <form
      class={loading ? 'live-address live-loading' : 'live-address'}
      onSubmit={(event) => {
        event.preventDefault();
        isSent.current = onGo(text.trim());
      }}
    >
      {isSafe && <Icon name="lock" />}
      <input
        type="text"
        inputMode="url"
        enterKeyHint="go"
        aria-label={words.address}
        autocomplete="off"
        autoCapitalize="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          isSent.current = false;
          setDraft(event.currentTarget.value);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setDraft(null)}
      />
    </form>
  );
}
