// Keeps what the person has ignored, in this browser and for this person alone.
import { useState } from 'preact/hooks';
import { useSession } from '../../session/session.ts';

const MOST = 200;

export function useIgnored(): { isIgnored: (id: string) => boolean; ignore: (id: string) => void } {
  const place = `svc_ignored_${useSession().me.id}`;
  const [ids, setIds] = useState(() => read(place));
  return {
    isIgnored: (id) => ids.includes(id),
    ignore(id) {
      const next = [...read(place), id].slice(-MOST);
      localStorage.setItem(place, JSON.stringify(next));
      setIds(next);
    },
  };
}

function read(place: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
