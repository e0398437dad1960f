// Starts Chromium as a child process and ends it: its flags, its pipe, no listening port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { BrowserStartFailed } from '../../src/ports/browser.ts';
import { type Message, openPipe, type Pipe } from './pipe.ts';
import { INSTALL_HINT } from './find-chromium.ts';
import { programsOf } from './profile.ts';

export interface Launch {
  path: string;
  profile: string;
  userAgent: string;
  /** host:port of the proxy that every request of the browser goes through. Null lets no request out. */
  proxy: string | null;
  sandbox: boolean;
  /** The gateway's own environment holds its secrets, so it is not passed on. */
  environment: Record<string, string>;
  onMessage: (message: Message) => void;
}

export interface Process {
  pipe: Pipe;
  readonly exited: Promise<void>;
  /** The end of what Chromium wrote to stderr. */
  lastWords(): string;
  kill(): void;
}

/** RFC 2606 §2: this name never exists. So no request finds its proxy. */
const NO_PROXY = 'proxy.invalid:1';
const MAX_STDERR_CHARACTERS = 2_000;
/** The PATH, when the gateway itself has none. */
const PLACES = '/usr/local/bin:/usr/bin:/bin';

export function launchChromium(launch: Launch): Process {
  const { path, profile, environment, onMessage } = launch;
  const child = spawn(path, flags(launch), {
    // Chromium gets its own process group: a kill reaches its helpers, and Ctrl-C in a terminal does not
    // reach it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...environment,
      HOME: profile,
      PATH: [programsOf(profile), environment['PATH'] ?? PLACES].join(':'),
    },
  });
  // The pipe uses file descriptors 3 and 4.
  const [, , stderr, toBrowser, fromBrowser] = child.stdio as unknown as [
    null,
    null,
    Readable,
    Writable,
    Readable,
  ];
  let words = '';
  stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (words = (words + text).slice(-MAX_STDERR_CHARACTERS)));
  return {
    pipe: openPipe(toBrowser, fromBrowser, onMessage),
    exited: exitOf(child),
    lastWords: () => words.trim(),
    kill: () => killGroup(child),
  };
}

const SANDBOX_HINT =
  'The system does not let Chromium set up its sandbox. Allow unprivileged user namespaces; in a container, use docs/deploy/seccomp.json (docs/connecting.md, "Sites without OAuth or API keys").';

export function startFailed(path: string, lastWords: string): BrowserStartFailed {
  const hint = /sandbox|namespace/i.test(lastWords) ? SANDBOX_HINT : INSTALL_HINT;
  const said = lastWords === '' ? '' : ` It said: ${lastWords.slice(-300)}`;
  return new BrowserStartFailed(`${path} started and ended at once. ${hint}${said}`);
}

async function exitOf(child: ChildProcess): Promise<void> {
  // A program that cannot be started emits an error and no exit.
  await Promise.race([once(child, 'exit').catch(() => {}), once(child, 'error').catch(() => {})]);
  killGroup(child);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Resolves when the whole process group has ended.
  }
}

function flags({ profile, userAgent, proxy, sandbox }: Launch): string[] {
  // Chromium cannot sandbox itself as root.
  const bare = !sandbox || process.getuid?.() === 0;
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--user-agent=${userAgent}`,
    `--proxy-server=http://${proxy ?? NO_PROXY}`,
    // Requests to loopback addresses go through the proxy too.
    '--proxy-bypass-list=<-loopback>',
    // No name is resolved and no connection is made around the proxy.
    `--host-resolver-rules=MAP * ~NOTFOUND${proxy === null ? '' : ' , EXCLUDE 127.0.0.1'}`,
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy',
    '--disable-quic',
    // These flags make the frames sharper.
    '--force-device-scale-factor=2',
    '--window-size=1280,800',
    // Passkeys would wait for a device that does not exist. Without them sites offer another way to sign in.
    '--disable-blink-features=AutomationControlled,WebAuth',
    '--disable-gpu',
    '--mute-audio',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--password-store=basic',
    '--use-mock-keychain',
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-dev-shm-usage',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-features=AcceptCHFrame,MediaRouter,OptimizationHints,Prerender2,Translate,CertificateTransparencyComponentUpdater,DialMediaRouteProvider',
    '--disable-notifications',
    '--disable-print-preview',
    '--disable-search-engine-choice-screen',
    '--disable-sync',
    '--disk-cache-size=33554432',
    // Limits what pages may store. By default Chromium gives them most of the disk, which belongs to the
    // gateway too.
    '--enable-features=StorageQuotaSettings:PoolSizeBytes/268435456',
    '--hide-scrollbars=false',
    ...(bare ? ['--no-sandbox'] : []),
    'about:blank',
  ];
}
