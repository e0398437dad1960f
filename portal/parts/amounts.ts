// Formats durations and sizes for people.
export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const upToOneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a size in the units in which the settings of a gateway limit it: 268435456 is 256 MiB. */
export function binarySize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${upToOneDigit.format(bytes / 1024 ** power)} ${UNITS[power]}`;
}
