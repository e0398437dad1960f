// Lists everything that an adapter brings to the core, by name.
import type { Config } from '../config/config.ts';
import type { Assets } from './assets.ts';
import type { Blobs } from './blobs.ts';
import type { Browser } from './browser.ts';
import type { Camera } from './camera.ts';
import type { Clock } from './clock.ts';
import type { Digest } from './digest.ts';
import type { ReadGuides } from './guides.ts';
import type { Gunzip } from './gunzip.ts';
import type { Hasher } from './hasher.ts';
import type { LastBackup } from './last-backup.ts';
import type { LocalServers } from './local-servers.ts';
import type { Log } from './log.ts';
import type { Mail } from './mail.ts';
import type { Metrics } from './metrics.ts';
import type { Network } from './network.ts';
import type { PendingConnections } from './pending.ts';
import type { Random } from './random.ts';
import type { ScriptRunner } from './script-runner.ts';
import type { Store } from './store.ts';
import type { Tracer } from './telemetry.ts';
import type { Texts } from './texts.ts';

/** A feature takes only the ports it needs: `Pick<Ports, 'clock' | 'store'>`. */
export interface Ports {
  config: Config;
  assets: Assets;
  blobs: Blobs;
  /** Null where no process can be started. */
  browser: Browser | null;
  /** Null where no process can be started, and where the operator wants no pictures. */
  camera: Camera | null;
  clock: Clock;
  digest: Digest;
  guides: ReadGuides;
  gunzip: Gunzip;
  hasher: Hasher;
  /** Absent where nobody tells the gateway of its backups. */
  lastBackup?: LastBackup | undefined;
  /** Null where no process can be started, and where the operator names no servers. */
  localServers: LocalServers | null;
  log: Log;
  /** Null where no connection of its own can be opened, and where the operator names no server. */
  mail: Mail | null;
  /** The bytes that calls may hold at once. Infinity means that the platform limits memory itself. */
  memory: number;
  metrics: Metrics;
  network: Network;
  pending: PendingConnections;
  random: Random;
  store: Store;
  /** Absent where no script can be run. */
  scriptRunner?: ScriptRunner | undefined;
  texts: Texts;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
}
