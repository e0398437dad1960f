// The version of this program, which only package.json says.
import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;
