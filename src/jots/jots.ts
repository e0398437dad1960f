// Puts the parts of the feature together: the tools, the upload, the portal and the server all use this.
import type { FairQueue } from '../memory/fair-queue.ts';
import type { ToolFiles } from '../kit/files.ts';
import type { Ports } from '../ports/ports.ts';
import { describe } from '../http/errors.ts';
import type { Jot } from '../ports/records.ts';
import { filesFromArchive, type NewFile } from './unpacking/archive.ts';
import { readJotLimits } from './unpacking/jot-limits.ts';
import { noteOf } from './publishing/cors.ts';
import { createDeploy, type Deployed } from './publishing/deploy.ts';
import { filesFromArguments, type ArgumentFile } from './unpacking/files-from-arguments.ts';
import type { Manifest } from './manifest.ts';
import type { DeployRequest, PatchRequest, ReplaceRequest } from './publishing/deploy-request.ts';
import { createJotRecords } from './jot-records.ts';
import { leftoverOfDeletion } from './publishing/leftover.ts';
import { createJotQuota } from './publishing/quota.ts';
import { createSettings, type Settings, type SettingsChange } from './publishing/settings.ts';
import { createJotReader, type JotReader, type JotCache } from './serving/reader.ts';
import { createSweep } from './publishing/sweep.ts';
import { createDeployTokens } from './publishing/upload-tokens.ts';
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

export interface CommitResult extends Omit<JotSummary, 'updatedAt'>, Noted {
  warnings: string[];
}

interface Noted {
  /** Says why cors is on where nobody has asked for it. */
  note?: string;
}

export interface UploadOffer {
  uploadUrl: string;
  expiresAt: number;
  example: string;
}

/** Every function that writes throws a JotRefused where it cannot. */
export interface Jots {
  deploy(
    request: ReplaceRequest | PatchRequest,
    files: readonly ArgumentFile[],
    kept: ToolFiles,
  ): Promise<CommitResult>;
  /** Resolves to null where the token is unknown, used or too old. */
  upload(token: string, packed: AsyncIterable<Bytes>): Promise<CommitResult | null>;
  offerUpload(request: DeployRequest): Promise<UploadOffer>;
  resolveSettings: Settings['resolve'];
  change(
    userId: string,
    name: string,
    change: SettingsChange,
    mayDecide?: boolean,
  ): Promise<(JotSummary & Noted) | null>;
  list(userId: string): Promise<JotSummary[]>;
  /** Resolves to null where the user has no jot of this name. */
  get(
    userId: string,
    name: string,
  ): Promise<{ jot: Jot; summary: JotSummary; manifest: Manifest | null } | null>;
  delete: (userId: string, name: string) => Promise<boolean>;
  sweep(): Promise<void>;
  /** Looks a jot up for a reader, who may be anybody. */
  find: (name: string) => Promise<Jot | null>;
  reader: JotReader;
}

type Needs = Pick<
  Ports,
  'blobs' | 'clock' | 'config' | 'digest' | 'gunzip' | 'hasher' | 'log' | 'random' | 'store'
> & { hashing: FairQueue; jotCache: JotCache };

export function createJots(ports: Needs): Jots {
  const { clock, config, gunzip, log } = ports;
  const records = createJotRecords(ports);
  const limits = readJotLimits(config);
  const reader = createJotReader(ports);
  const quota = createJotQuota({ ...ports, records });
  const deploy = createDeploy({ ...ports, quota, records, reader, limits });
  const tokens = createDeployTokens(ports);
  const settings = createSettings({ ...ports, records });
  const findWarnings = createWarnings({ config, reader });
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

  async function run(request: DeployRequest, files: AsyncIterable<NewFile>): Promise<CommitResult> {
    const before = await records.get(request.name);
    const deployed = await deploy(request, files);
    const { updatedAt: _, ...summary } = summarize(deployed.jot);
    const warnings = await collectWarnings(deployed, before?.access === 'password');
    return { ...summary, ...noteOf(deployed.jot), warnings };
  }

  // The jot is published by now, so a failure here must not say that the deploy has failed.
  async function collectWarnings(deployed: Deployed, wasLocked: boolean): Promise<string[]> {
    try {
      return await findWarnings(deployed, wasLocked);
    } catch (error) {
      log.write('warn', 'a jot could not be looked at', { jot: deployed.jot.name, ...describe(error) });
      return [];
    }
  }

  async function findOwn(userId: string, name: string): Promise<Jot | null> {
    const jot = await records.get(name);
    return jot?.user_id === userId ? jot : null;
  }

  return {
    reader,
    find: (name) => records.getShared(name),
    resolveSettings: settings.resolve,
    sweep: createSweep(ports, reader),
    deploy: (request, files, kept) => run(request, filesFromArguments(files, limits, kept)),

    async upload(token, packed) {
      const request = await tokens.take(token);
      if (request === null) return null;
      return run(request, filesFromArchive(packed, gunzip, limits));
    },

    async offerUpload(request) {
      // A patch may be one that only deletes files.
      if (request.kind === 'replace')
        await quota.check(request.userId, (await findOwn(request.userId, request.name)) === null);
      const { token, expiresAt } = await tokens.mint(request);
      const uploadUrl = `${config.SERVER_PUBLIC_URL}/j/upload/${token}`;
      return { uploadUrl, expiresAt, example: `tar czf - . | curl --data-binary @- ${uploadUrl}` };
    },

    async change(userId, name, change, mayDecide) {
      const isChange = Object.values(change).some((value) => value !== undefined);
      const jot = await (isChange ? settings.change(userId, name, change, mayDecide) : findOwn(userId, name));
      return jot === null ? null : { ...summarize(jot), ...(mayDecide === true ? noteOf(jot) : {}) };
    },

    list: async (userId) => (await records.list(userId)).map(summarize),

    async get(userId, name) {
      const jot = await findOwn(userId, name);
      return jot === null ? null : { jot, summary: summarize(jot), manifest: await reader.readManifest(jot) };
    },

    async delete(userId, name) {
      const jot = await findOwn(userId, name);
      return jot !== null && records.delete(name, userId, leftoverOfDeletion(jot, clock.now()));
    },
  };
}
