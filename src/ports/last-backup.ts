// The port that tells what the gateway knows of its last backup.

/** Resolves to null where no backup was made. */
export type LastBackup = () => Promise<{
  /** Unix seconds. */
  madeAt: number;
  /** Whether the file is still there as it was written. `elsewhere` where it was moved, or never was a file. */
  file: 'whole' | 'changed' | 'elsewhere';
} | null>;
