// Reads secrets from files. Docker, Kubernetes and systemd can give a program a file for each secret; `<VARIABLE>_FILE` names it.
import { readFileSync } from 'node:fs';
import type { Problem } from '../../src/config/config-error.ts';
import { type Config, type Env, isSecretVariable, readConfig } from '../../src/config/config.ts';

const SUFFIX = '_FILE';

/** Reads the configuration from the environment and from the files that it names. */
export function readNodeConfig(env: Env, localSecret: Parameters<typeof readConfig>[1]): Config {
  const values: Record<string, string | undefined> = { ...env };
  const problems: Problem[] = [];
  for (const [variable, file = ''] of Object.entries(env)) {
    const name = variable.slice(0, -SUFFIX.length);
    if (!variable.endsWith(SUFFIX) || !isSecretVariable(name) || file.trim() === '') continue;
    if (isSet(env[name])) {
      problems.push({ name: variable, message: `cannot be set together with ${name}` });
      continue;
    }
    const found = readSecret(file.trim());
    if ('value' in found) values[name] = found.value;
    else problems.push({ name: variable, message: found.message });
  }
  return readConfig(values, localSecret, problems);
}

const isSet = (value = ''): boolean => value.trim() !== '';

function readSecret(file: string): { value: string } | { message: string } {
  try {
    // A command that writes a secret into a file mostly ends it with a line break.
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return isSet(value) ? { value } : { message: 'names a file that is empty' };
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { message: `names a file that cannot be read (${why})` };
  }
}
