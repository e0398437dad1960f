// Puts the parts of the feature together: the tools, the upload, the portal and the server all use this.
import type { FairQueue } from '../memory/fair-queue.ts';
import type { ToolFiles } from '../kit/files.ts';
import type { Ports } from '../ports/ports.ts';
import { describe } from '../http/errors.ts';
import type { Jot } from '../ports/records.ts';
import { filesFromArchive, type NewFile } from './unpacking/archive.ts';
import { type JotLimits, readJotLimits } from './unpacking/jot-limits.ts';
import { noteOf } from './publishing/cors.ts';
import { createDeploy, type Deployed } from './publishing/deploy.ts';
import { filesFromArguments, type ArgumentFile } from './unpacking/files-from-arguments.ts';
import { JOTS_FOLDER, type Manifest } from './model/manifest.ts';
import { DeployRequest, type GivenRequest } from './publishing/deploy-request.ts';
import { createJotRecords } from './model/jot-records.ts';
import { leftoverOfDeletion } from './publishing/leftover.ts';
import { createJotQuota, type JotQuota } from './publishing/quota.ts';
import { createRollBack } from './publishing/roll-back.ts';
import { createSettings, type Settings, type SettingsChange } from './publishing/settings.ts';
import { createJotReader, type JotReader, type JotCache } from './serving/reader.ts';
import { createViews, type Views, type WaitingViews } from './serving/views.ts';
import {
  describePage,
  type JotSummary,
  type ShownJot,
  type ShownJotPage,
  thumbnailAddress,
} from './shown.ts';
import { createThumbnails, type Thumbnails } from './thumbnails/thumbnails.ts';
import { createSweep } from './publishing/sweep.ts';
import { createDeployTokens } from './publishing/upload-tokens.ts';
import { createWarnings } from './publishing/warnings.ts';

type Bytes = Uint8Array<ArrayBuffer>;

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
  deploy(request: GivenRequest, files: readonly ArgumentFile[], kept: ToolFiles): Promise<CommitResult>;
  /** Resolves to null where the token is unknown, used or too old. `enter` is called when its person is known. */
  upload(
    token: string,
    packed: AsyncIterable<Bytes>,
    enter?: (userId: string) => void,
  ): Promise<CommitResult | null>;
  offerUpload(request: GivenRequest): Promise<UploadOffer>;
  resolveSettings: Settings['resolve'];
  change(
    userId: string,
    name: string,
    change: SettingsChange,
    mayDecide?: boolean,
  ): Promise<(JotSummary & Noted) | null>;
  list(userId: string): Promise<JotSummary[]>;
  /** Lists the jots with what only the portal shows. */
  listShown(userId: string): Promise<ShownJot[]>;
  /** Resolves to null where the user has no jot of this name. */
  get(
    userId: string,
    name: string,
  ): Promise<{ jot: Jot; summary: JotSummary; manifest: Manifest | null } | null>;
  /** Resolves to null where the user has no jot of this name. */
  show(userId: string, name: string): Promise<ShownJotPage | null>;
  delete: (userId: string, name: string) => Promise<boolean>;
  /** Resolves to null where the user has no jot of this name. */
  rollBack: (userId: string, name: string, number: number, seen: number) => Promise<JotSummary | null>;
  thumbnails: Thumbnails;
  views: Views;
  limits: JotLimits;
  /** Deletes the jots of the person, with their files at once instead of by the sweep. */
  deleteAll(userId: string): Promise<void>;
  /** What the user's jots take of the limits. */
  used: JotQuota['used'];
  sweep(): Promise<void>;
  /** Looks a jot up for a reader, who may be anybody. */
  find: (name: string) => Promise<Jot | null>;
  reader: JotReader;
}

type Needs = Pick<
  Ports,
  'blobs' | 'camera' | 'clock' | 'config' | 'digest' | 'gunzip' | 'hasher' | 'log' | 'random' | 'store'
> & { hashing: FairQueue; jotCache: JotCache; waitingViews: WaitingViews };

export function createJots(ports: Needs): Jots {
  const { clock, config, gunzip, log, store } = ports;
  const records = createJotRecords(ports);
  const limits = readJotLimits(config);
  const reader = createJotReader(ports);
  const quota = createJotQuota({ ...ports, records });
  const deploy = createDeploy({ ...ports, quota, records, reader, limits });
  const tokens = createDeployTokens(ports);
  const settings = createSettings({ ...ports, records });
  const rollBack = createRollBack({ ...ports, quota, records, reader });
  const thumbnails = createThumbnails({ ...ports, records, reader });
  const views = createViews(ports);
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

  /** What follows every write: a picture that nobody needs goes, and one of a new version is made. */
  async function follow(before: Jot | null, jot: Jot, manifest?: Manifest): Promise<void> {
    await thumbnails.discard(before, jot, manifest);
    thumbnails.request(jot);
  }

  async function run(request: DeployRequest, files: AsyncIterable<NewFile>): Promise<CommitResult> {
    const deployed = await deploy(request, files);
    const { before } = deployed;
    await follow(before, deployed.jot, deployed.manifest);
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

  /** A person who is disabled while a tool runs for them may still get a token. */
  async function isAllowed(userId: string): Promise<boolean> {
    return (await store.users.byId(userId))?.disabled_at === null;
  }

  async function findOwn(userId: string, name: string): Promise<Jot | null> {
    const jot = await records.get(name);
    return jot?.user_id === userId ? jot : null;
  }

  return {
    reader,
    used: (userId) => quota.used(userId),
    find: (name) => records.getShared(name),
    resolveSettings: settings.resolve,
    sweep: createSweep(ports, reader),
    thumbnails,
    views,
    limits,
    deploy: (request, files, kept) =>
      run(DeployRequest.parse(request), filesFromArguments(files, limits, kept)),

    async upload(token, packed, enter) {
      const request = await tokens.take(token);
      if (request === null || !(await isAllowed(request.userId))) return null;
      enter?.(request.userId);
      return run(request, filesFromArchive(packed, gunzip, limits));
    },

    async offerUpload(request) {
      // A patch may be one that only deletes files.
      if (request.kind === 'replace')
        await quota.check(request.userId, (await findOwn(request.userId, request.name)) === null);
      const { token, expiresAt } = await tokens.mint(DeployRequest.parse(request));
      const uploadUrl = `${config.SERVER_PUBLIC_URL}/j/upload/${token}`;
      return { uploadUrl, expiresAt, example: `tar czf - . | curl --data-binary @- ${uploadUrl}` };
    },

    async change(userId, name, change, mayDecide) {
      const isChange = Object.values(change).some((value) => value !== undefined);
      const changed = isChange ? await settings.change(userId, name, change, mayDecide) : null;
      if (changed !== null) await follow(changed.before, changed.jot);
      const jot = isChange ? (changed?.jot ?? null) : await findOwn(userId, name);
      return jot === null ? null : { ...summarize(jot), ...(mayDecide === true ? noteOf(jot) : {}) };
    },

    list: async (userId) => (await records.list(userId)).map(summarize),

    async listShown(userId) {
      const [jots, recent] = await Promise.all([
        records.list(userId),
        store.jots.recentViews(userId, clock.now()),
      ]);
      for (const jot of jots) thumbnails.request(jot);
      return jots.map((jot) => ({
        ...summarize(jot),
        views: { total: jot.views, recent: recent.get(jot.name) ?? 0 },
        thumbnail: thumbnailAddress(jot),
      }));
    },

    async show(userId, name) {
      const jot = await findOwn(userId, name);
      if (jot === null) return null;
      thumbnails.request(jot);
      const [manifest, recent] = await Promise.all([
        reader.readManifest(jot),
        store.jots.recentViews(userId, clock.now()),
      ]);
      return { ...summarize(jot), ...describePage(jot, manifest, recent.get(name) ?? 0) };
    },

    async rollBack(userId, name, number, seen) {
      const rolled = await rollBack(userId, name, number, seen);
      if (rolled === null) return null;
      await follow(rolled.before, rolled.jot, rolled.manifest);
      return summarize(rolled.jot);
    },

    async get(userId, name) {
      const jot = await findOwn(userId, name);
      return jot === null ? null : { jot, summary: summarize(jot), manifest: await reader.readManifest(jot) };
    },

    async deleteAll(userId) {
      for (const { name } of await records.list(userId)) {
        // While the row is there nobody else can deploy to the name.
        for await (const key of ports.blobs.list(`${JOTS_FOLDER}${name}/`)) await ports.blobs.delete(key);
        await records.delete(name, userId);
      }
    },

    async delete(userId, name) {
      const jot = await findOwn(userId, name);
      if (jot === null) return false;
      const isDeleted = await records.delete(name, userId, leftoverOfDeletion(jot, clock.now()));
      if (isDeleted) await thumbnails.discard(jot, null);
      return isDeleted;
    },
  };
}
