// Draws the frames of the page as large as possible, and passes on what the pointer does.
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import { listenToPointing } from '../input/pointing.ts';
import type { Viewer } from '../remote/viewer.ts';
import { type Place, placeOf, pointIn, UNSCALED } from '../input/place.ts';

interface Props {
  viewer: Viewer;
  cursor: string;
  onPlace: (place: Place) => void;
  onUse: () => void;
}

const RESIZE_AFTER_MS = 120;
const isTouch = () => matchMedia('(pointer: coarse)').matches;

export function Picture({ viewer, cursor, onPlace, onUse }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const context = element.getContext('2d');
    let place = UNSCALED;
    viewer.paint((image, metadata) => {
      if (element.width !== image.width || element.height !== image.height) {
        element.width = image.width;
        element.height = image.height;
      }
      context?.drawImage(image, 0, 0);
      const next = placeOf(metadata, element.getBoundingClientRect());
      if (next.scale === place.scale && next.offsetTop === place.offsetTop) return;
      place = next;
      onPlace(place);
    });
    const stop = listenToPointing(element, {
      send: viewer.send,
      toPoint: (where) => pointIn(place, element.getBoundingClientRect(), where),
      onUse,
    });
    return () => {
      viewer.paint(null);
      stop();
    };
  }, [viewer]);

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measure = () => {
      const { width, height } = element.getBoundingClientRect();
      if (width > 0 && height > 0) viewer.resize({ width, height, density: devicePixelRatio }, isTouch());
    };
    measure();
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(measure, RESIZE_AFTER_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [viewer]);

  // Accepts only plain cursor names, because the site chooses the name.
  useEffect(() => {
    if (canvas.current !== null) canvas.current.style.cursor = /^[a-z-]+$/.test(cursor) ? cursor : 'default';
  }, [cursor]);

  return <canvas ref={canvas} class="live-canvas" role="img" aria-label={texts.live.picture} />;
}
