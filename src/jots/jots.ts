// Everything one can do with jots, put together once: the tools, the upload, the portal and the server all use this.
import type { Ports } from '../ports/ports.ts';
import { describe } from '../http/errors.ts';
import type { Jot } from '../ports/records.ts';
import type { NewFile } from './unpacking/archive.ts';
import { readCaps } from './unpacking/caps.ts';
import { createDeploy, type Deployed } from './publishing/deploy.ts';
import { filesOfArguments, type GivenFile } from './unpacking/files-from-arguments.ts';
import type { Manifest } from './manifest.ts';
import type { Order, Patch, Replace } from './publishing/deploy-request.ts';
import { createRows } from './rows.ts';
import { createSettings, type Settings, type Wishes } from './publishing/settings.ts';
import { createShelf, type Shelf, type JotMemory } from './serving/reader.ts';
import { createSweep } from './publishing/sweep.ts';
import { createUploadTokens } from './publishing/upload-tokens.ts';
import { createWarnings } from './publishing/warnings.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface JotSummary {
  name: string;
  url: string;
  access: Jot['access'];
  cors: boolean;
  files: number;
  bytes: number;
  updatedAt: number;
}

export interface CommitResult extends Omit<JotSummary, 'updatedAt'> {
  warnings: string[];
}

export interface UploadOffer {
  uploadUrl: string;
  expiresAt: number;
  example: string;
}

/** All that writes throws a Refused when it does not. */
export interface Jots {
  deploy(order: Replace | Patch, files: readonly GivenFile[]): Promise<CommitResult>;
  /** Null when the token is unknown, used or too old. */
  upload(token: string, packed: AsyncIterable<Bytes>): Promise<CommitResult | null>;
  offerUpload(order: Order): Promise<UploadOffer>;
  newSettings: Settings['ofNew'];
  change(userId: string, name: string, wishes: Wishes): Promise<JotSummary | null>;
  list(userId: string): Promise<JotSummary[]>;
  /** Null when the user has none of this name. */
  get(
    userId: string,
    name: string,
  ): Promise<{ jot: Jot; summary: JotSummary; manifest: Manifest | null } | null>;
  delete: (userId: string, name: string) => Promise<boolean>;
  sweep(): Promise<void>;
  /** For those who read. */
  find: (name: string) => Promise<Jot | null>;
  shelf: Shelf;
}

type Needs = Pick<
  Ports,
  'blobs' | 'clock' | 'config' | 'digest' | 'gunzip' | 'hasher' | 'log' | 'random' | 'store'
> & { jotMemory: JotMemory };

export function createJots(ports: Needs): Jots {
  const { config, gunzip, log } = ports;
  const rows = createRows(ports);
  const caps = readCaps(config);
  const shelf = createShelf(ports);
  const deploy = createDeploy({ ...ports, rows, shelf, caps });
  const tokens = createUploadTokens(ports);
  const settings = createSettings({ ...ports, rows });
  const warnings = createWarnings({ config, shelf });
  const origin = config.JOTS_ORIGIN ?? config.SERVER_PUBLIC_URL;

  const summarize = ({ name, access, cors, files, bytes, updated_at }: Jot): JotSummary => ({
    name,
    url: `${origin}/j/${name}/`,
    access,
    cors,
    files,
    bytes,
    updatedAt: updated_at,
  });

  async function run(order: Order, files: AsyncIterable<NewFile>): Promise<CommitResult> {
    const before = await rows.get(order.name);
    const deployed = await deploy(order, files);
    const { updatedAt: _, ...summary } = summarize(deployed.jot);
    return { ...summary, warnings: await warningsOf(deployed, before?.access === 'password') };
  }

  // The jot stands: a reader that fails now must not say that it does not.
  async function warningsOf(deployed: Deployed, wasLocked: boolean): Promise<string[]> {
    try {
      return await warnings(deployed, wasLocked);
    } catch (error) {
      log.write('warn', 'a jot could not be looked at', { jot: deployed.jot.name, ...describe(error) });
      return [];
    }
  }

  async function own(userId: string, name: string): Promise<Jot | null> {
    const jot = await rows.get(name);
    return jot?.user_id === userId ? jot : null;
  }

  return {
    shelf,
    find: (name) => rows.glance(name),
    newSettings: settings.ofNew,
    sweep: createSweep(ports, shelf),
    deploy: (order, files) => run(order, filesOfArguments(files, caps)),

    async upload(token, packed) {
      const order = await tokens.take(token);
      if (order === null) return null;
      // Loaded at the first upload: its decoder makes an Error as it loads, which slows every start of a Worker.
      const { filesOfArchive } = await import('./unpacking/archive.ts');
      return run(order, filesOfArchive(packed, gunzip, caps));
    },

    async offerUpload(order) {
      const { token, expiresAt } = await tokens.mint(order);
      const uploadUrl = `${config.SERVER_PUBLIC_URL}/j/upload/${token}`;
      return { uploadUrl, expiresAt, example: `tar czf - . | curl --data-binary @- ${uploadUrl}` };
    },

    async change(userId, name, wishes) {
      const wished = Object.values(wishes).some((wish) => wish !== undefined);
      const jot = await (wished ? settings.change(userId, name, wishes) : own(userId, name));
      return jot === null ? null : summarize(jot);
    },

    list: async (userId) => (await rows.list(userId)).map(summarize),

    async get(userId, name) {
      const jot = await own(userId, name);
      return jot === null ? null : { jot, summary: summarize(jot), manifest: await shelf.manifest(jot) };
    },

    delete: (userId, name) => rows.delete(name, userId),
  };
}
