// A small process that outlives a killed gateway: it ends the servers that do not end by themselves, and removes their
// folders. decision: 044
import { type ChildProcess, spawn } from 'node:child_process';

export interface Watchdog {
  begin(group: number): void;
  end(group: number): void;
  close(): void;
}

// It reads `+ <group>` and `- <group>`. The end of its input means that the gateway is gone: the kernel closes the pipe,
// whatever ended the gateway. Process groups reach children of children, which PR_SET_PDEATHSIG would not.
const SCRIPT = `
groups=
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
done
if [ -n "$groups" ]; then
  sleep "$2"
  for one in $groups; do kill -s TERM -- "-$one"; done
  sleep "$3"
  for one in $groups; do kill -s KILL -- "-$one"; done
fi
rm -rf -- "$1"
`;

export interface WatchdogOptions {
  folder: string;
  /** The seconds before SIGTERM and, after that, before SIGKILL. */
  seconds: readonly [number, number];
  path: string;
  onFailure: (reason: string) => void;
}

export function startWatchdog({ folder, seconds, path, onFailure }: WatchdogOptions): Watchdog {
  const groups = new Set<number>();
  let child: ChildProcess | null = null;
  let isClosed = false;

  function open(): void {
    const started = spawn('/bin/sh', ['-c', SCRIPT, 'mcp-servers-watchdog', folder, ...seconds.map(String)], {
      cwd: '/',
      // What kills the gateway's own process group must not reach it.
      detached: true,
      env: { PATH: path },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child = started;
    const lose = (reason: string) => {
      if (child !== started) return;
      child = null;
      if (!isClosed) onFailure(reason);
    };
    started.once('error', ({ message }) => lose(message));
    started.once('exit', (code, signal) => lose(`it ended with ${signal ?? `exit code ${code}`}`));
    started.stdin?.on('error', () => {});
    for (const group of groups) tell('+', group);
  }

  function tell(sign: '+' | '-', group: number): void {
    child?.stdin?.write(`${sign} ${group}\n`);
  }

  open();
  return {
    begin(group) {
      groups.add(group);
      if (child === null) open();
      else tell('+', group);
    },
    end(group) {
      groups.delete(group);
      tell('-', group);
    },
    close() {
      isClosed = true;
      child?.stdin?.end();
    },
  };
}
