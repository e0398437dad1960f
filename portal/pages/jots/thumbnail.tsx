// Shows the picture of a jot, or draws a page where there is no picture yet.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, requestFile } from '../../api/client.ts';
import type { Jot } from '../../api/jots.ts';

/** The pictures of this visit, by their addresses. A new picture has a new address. */
const pictures = new Map<string, Promise<string>>();

function load(address: string): Promise<string> {
  let picture = pictures.get(address);
  if (picture === undefined) {
    picture = requestFile(address).then((blob) => URL.createObjectURL(blob));
    // A failed request is sent again when the picture is shown again.
    picture.catch(() => pictures.delete(address));
    pictures.set(address, picture);
  }
  return picture;
}

export function Thumbnail({ jot: { access, thumbnail } }: { jot: Pick<Jot, 'access' | 'thumbnail'> }) {
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ address: string; url: string }>();

  useEffect(() => {
    const element = place.current;
    if (thumbnail === null || element === null) return;
    let isWanted = true;
    const whenSeen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      whenSeen.disconnect();
      load(thumbnail).then(
        (url) => isWanted && setShown({ address: thumbnail, url }),
        (error: unknown) => {
          // Without its picture the drawing stays.
          if (!(error instanceof ApiError)) throw error;
        },
      );
    });
    whenSeen.observe(element);
    return () => {
      isWanted = false;
      whenSeen.disconnect();
    };
  }, [thumbnail]);

  // The name of the jot is beside the picture, so the picture says nothing to a screen reader.
  return (
    <div ref={place} class="thumbnail" aria-hidden="true">
      {thumbnail !== null && shown?.address === thumbnail ? (
        <img src={shown.url} alt="" width={640} height={400} />
      ) : (
        <svg viewBox="0 0 160 100">
          <path d={access === 'password' ? LOCK : PAGE} />
        </svg>
      )}
    </div>
  );
}

const PAGE = 'M52 22h38l18 18v38H52zM90 22v18h18M62 50h36M62 58h36M62 66h22';
const LOCK = 'M62 48h36v28H62zM69 48v-8a11 11 0 0 1 22 0v8M80 59v6';
