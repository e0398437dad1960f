// Opens the command palette and the list of shortcuts, by a button and by keys. Both are loaded when they are first opened.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Entry } from '../palette/entry.ts';
import { Icon } from '../parts/icon.tsx';
import { isTyping } from '../parts/search-field.tsx';
import { navigate } from '../router/location.ts';
import { useSession } from '../session/session.ts';
import { paletteTexts } from '../texts/palette.ts';
import { lazyPart } from './lazy.tsx';
import { chooseTheme, THEMES } from './theme.ts';

const words = paletteTexts;
const ABOVE = { isQuiet: true };
const Palette = lazyPart(() => import('../palette/palette.tsx').then((module) => module.Palette), ABOVE);
const Shortcuts = lazyPart(
  () => import('../palette/shortcuts.tsx').then((module) => module.Shortcuts),
  ABOVE,
);
/** Apple's keyboards have a key of their own for commands. */
const COMMAND = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

export function QuickAccess() {
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const { signOut } = useSession();
  const actions = useMemo(() => listActions(signOut, () => setShown('shortcuts')), [signOut]);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isPaletteKey(event)) setShown((open) => (open === 'palette' ? open : 'palette'));
      else if (event.key === '?' && !isTyping(event.target)) setShown('shortcuts');
      else return;
      event.preventDefault();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const close = () => setShown(null);
  return (
    <>
      <button
        type="button"
        class="quick-access"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setShown('palette')}
      >
        <Icon name="search" />
        <span class="quick-access-label">{words.open}</span>
        <kbd aria-hidden="true">{COMMAND}</kbd>
      </button>
      {shown === 'palette' && <Palette actions={actions} onClose={close} />}
      {shown === 'shortcuts' && <Shortcuts onClose={close} />}
    </>
  );
}

function isPaletteKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey && !shiftKey;
}

function listActions(signOut: () => void, showShortcuts: () => void): Entry[] {
  const action = (id: string, label: string, run: () => void): Entry => ({
    id: `action ${id}`,
    group: 'actions',
    label,
    run,
  });
  const { actions } = words;
  return [
    action('add', actions.addService, () => navigate('/integrations/add')),
    action('key', actions.newKey, () => navigate('/agents?new=key')),
    ...THEMES.map((theme) => action(`theme ${theme}`, actions.theme[theme], () => chooseTheme(theme))),
    action('shortcuts', actions.shortcuts, showShortcuts),
    action('sign out', actions.signOut, signOut),
  ];
}
