// Loads a page, or a part of a page, when the person first opens it.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { checkLine, isLineUp, whenLineChanges } from '../api/line.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { Lamp } from '../parts/lamp.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Page } from './page.tsx';
import { texts } from '../texts/texts.ts';

/** Why a part could not be loaded: the gateway does not answer, or answers and lacks the part, as after an update. */
type Failure = 'unreachable' | 'missing';

// Reloads the whole portal, because a new release has other file names.
const reloadPortal = () => location.reload();

export function lazy<Props extends object>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { ahead: () => Promise<void> } {
  const useLoaded = loadOnce(load, { isPage: true });
  function LazyPage(props: Props) {
    const { loaded: Loaded, failed } = useLoaded();
    if (Loaded !== undefined) return <Loaded {...props} />;
    return (
      <Page title={title}>
        <Unloaded failed={failed} rows={6} />
      </Page>
    );
  }
  return Object.assign(LazyPage, { ahead: useLoaded.ahead });
}

/** Loads a part of a page that is there already. A quiet one shows nothing until it is loaded. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): ComponentType<Props> {
  const useLoaded = loadOnce(load);
  return function LazyPart(props: Props) {
    const { loaded: Loaded, failed } = useLoaded();
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (isQuiet && failed !== 'missing') return null;
    return (
      <div class="section">
        <Unloaded failed={failed} rows={2} />
      </div>
    );
  };
}

/**
 * Makes a hook that loads a component once, as soon as somebody wants it. Waits for a gateway that does not answer.
 * `ahead` loads the component before anything is rendered.
 */
export function loadOnce<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPage = false }: { isPage?: boolean } = {},
) {
  let loaded: ComponentType<Props> | undefined;

  function useLoaded(wanted = true): {
    loaded: ComponentType<Props> | undefined;
    failed: Failure | undefined;
  } {
    const [attempt, setAttempt] = useState(0);
    const [failed, setFailed] = useState<Failure>();

    const rendered = loaded;
    useEffect(() => {
      if (rendered !== undefined || !wanted) return;
      // `ahead` may have loaded it since the render.
      if (loaded !== undefined) return setAttempt(attempt + 1);
      let isCurrent = true;
      const fail = async () => {
        const isUp = await checkLine();
        if (!isCurrent) return;
        // A gateway that was away may be back as a new release. The person has only just opened the page.
        if (isUp && failed === 'unreachable' && isPage) reloadPortal();
        else setFailed(isUp ? 'missing' : 'unreachable');
      };
      mendStyles()
        .then(load)
        .then((module) => {
          loaded = module;
          if (isCurrent) setAttempt(attempt + 1);
        }, fail);
      return () => {
        isCurrent = false;
      };
    }, [wanted, attempt]);

    useEffect(() => {
      if (failed === 'unreachable')
        return whenLineChanges(() => isLineUp() && setAttempt((count) => count + 1));
    }, [failed]);

    return { loaded, failed };
  }

  async function ahead(): Promise<void> {
    loaded = await load();
  }

  return Object.assign(useLoaded, { ahead });
}

/** Loads the style sheets again that did not arrive. The loader of modules asks for each only once. */
async function mendStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet][data-failed]');
  await Promise.all(
    [...links].map((link) => {
      const again = document.createElement('link');
      const loaded = new Promise<void>((resolve, reject) => {
        again.addEventListener('load', () => resolve());
        again.addEventListener('error', () => {
          again.dataset['failed'] = '';
          reject(new TypeError(`${link.href} did not load`));
        });
      });
      again.rel = 'stylesheet';
      again.href = link.href;
      link.replaceWith(again);
      return loaded;
    }),
  );
}

// Errors of elements do not bubble, but a listener of the window sees them on their way down.
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement) target.dataset['failed'] = '';
  },
  true,
);

function Unloaded({ failed, rows }: { failed: Failure | undefined; rows: number }) {
  if (failed === 'missing') return <Missing />;
  const { offline, loadsByItself } = texts.failures;
  // The banner of all pages speaks about a gateway that does not answer.
  if (failed === undefined || navigator.onLine) return <Skeleton rows={rows} />;
  return <ErrorNotice message={`${offline} ${loadsByItself}`} />;
}

function Missing() {
  return (
    <div class="notice" role="alert">
      <Lamp colour="red">{texts.failures.newRelease}</Lamp>
      <button type="button" class="button" onClick={reloadPortal}>
        <Icon name="refresh" />
        {texts.actions.reload}
      </button>
    </div>
  );
}
