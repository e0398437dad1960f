// Keeps scripts that people have saved, and makes tools of them. reference: Scripts
import { loadValidator } from '../imports/pinned/arguments.ts';
import { normaliseSchema } from '../imports/pinned/schema.ts';
import { canonicalJson } from '../json/canonical.ts';
import { writeJson } from '../json/exact-integers.ts';
import { isObject, parseJson } from '../json/json.ts';
import type { Integration, Tool } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { createLayer, type Registry } from '../kit/registry.ts';
import type { JsonSchema } from '../kit/validation.ts';
import { createLru } from '../memory/lru.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptRecord } from '../ports/scripts.ts';
import { EVERYONE } from '../ports/store.ts';
import { MOST_SCRIPTS, RUN_SECONDS, TEAM_SCRIPTS } from './limits.ts';
import { SCRIPTS, toolNameOf } from './names.ts';
import type { RunScripts } from './run-scripts.ts';

/** A script as somebody sends it. */
export interface NewScript {
  name: string;
  description: string;
  code: string;
  args: unknown;
}

export type Saved =
  | { kind: 'saved'; script: ScriptRecord }
  | { kind: 'refused'; reason: 'schema' | 'taken' | 'full'; message: string };

export interface SavedScripts {
  save(userId: string, script: NewScript): Promise<Saved>;
  /** The newest versions of the person's scripts, and those of the team that have no namesake among them. */
  list(userId: string): Promise<ScriptRecord[]>;
  /** Makes a version a script of the team. */
  accept(script: ScriptRecord, reviewer: string): Promise<ScriptRecord | null>;
  /** Makes the tools of a person. They stay the same objects while the revision does. */
  toolsOf(userId: string, revision: string): Promise<Registry>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & {
  registries: Pick<Registries, 'tool'>;
  /** The integration that the tools belong to. Null where this gateway runs no scripts. */
  integration: () => Integration | null;
  runScripts: () => RunScripts | null;
  /** What a gateway says that runs no scripts itself. */
  away: string;
};

const ANY_OBJECT: JsonSchema = { type: 'object', properties: {} };
const KEPT_CHARACTERS = 16 * 1024 * 1024;
const MAX_SCHEMA_CHARACTERS = 16 * 1024;
const NOTHING = createLayer([], []);

export function createSavedScripts(deps: Needs): SavedScripts {
  const { away, clock, digest, integration, random, store, runScripts } = deps;
  const layers = createLru<Registry>(KEPT_CHARACTERS);

  async function list(userId: string): Promise<ScriptRecord[]> {
    const [own, team] = await Promise.all([userId, EVERYONE].map((owner) => store.scripts.list(owner)));
    const names = new Set((own ?? []).map(({ name }) => name));
    return [...(own ?? []), ...(team ?? []).filter(({ name }) => !names.has(name))];
  }

  function toolOf(record: ScriptRecord, parse: Tool['parse'], schema: JsonSchema): Tool {
    const { name, version, description, code, owner } = record;
    const whose = owner === EVERYONE ? 'A script of the team' : 'Your script';
    return {
      name: toolNameOf(name),
      description: description === '' ? `${whose}, version ${version}` : description,
      // Each call that it makes is judged by itself.
      access: 'read',
      schema,
      digest: record.digest,
      parse,
      run: () => Promise.reject(new Error(away)),
      async runAs(value, caller, begun) {
        const runs = runScripts();
        if (runs === null) return { kind: 'failed', message: away };
        if (begun !== undefined) return runs.resume(caller, begun, undefined);
        const saved = { name, version, digest: record.digest };
        return runs.start(caller, { saved, code, input: writeJson(value), timeoutSec: RUN_SECONDS });
      },
    };
  }

  async function load(userId: string): Promise<Registry> {
    const owner = integration();
    if (owner === null) return NOTHING;
    const records = await list(userId);
    const createArguments = await loadValidator();
    return createLayer(
      [],
      records.map((record) => {
        const read = record.args === null ? undefined : parseJson(record.args);
        const schema = isObject(read) ? read : ANY_OBJECT;
        return { integration: owner, tool: toolOf(record, createArguments(schema), schema) };
      }),
    );
  }

  /** Returns a sentence for a schema that cannot be used. */
  function readSchema(args: unknown): { args: string | null } | string {
    if (args === undefined || args === null) return { args: null };
    if (!isObject(args)) return 'args: must be a JSON Schema of an object';
    const steps = normaliseSchema(args, 'input', new Map());
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const { schema } = step.value ?? {};
    const text = schema === undefined ? '' : JSON.stringify(schema);
    return text === '' || text.length > MAX_SCHEMA_CHARACTERS
      ? `args: is longer than ${MAX_SCHEMA_CHARACTERS} characters`
      : { args: text };
  }

  return {
    list,
    async save(userId, { name, description, code, args: given }) {
      const read = readSchema(given);
      if (typeof read === 'string') return { kind: 'refused', reason: 'schema', message: read };
      const known = await deps.registries.tool(userId, toolNameOf(name));
      if (known !== null && known.integration.name !== SCRIPTS)
        return {
          kind: 'refused',
          reason: 'taken',
          message: `${known.integration.name} has a tool ${toolNameOf(name)} already. Take another name`,
        };
      const { args } = read;
      const script = await store.scripts.save(
        {
          id: random.uuid(),
          owner: userId,
          name,
          description,
          code,
          args,
          digest: digest.sha256(canonicalJson([description, code, args])),
          shared: null,
          created_by: userId,
          reviewed_by: null,
          created_at: clock.now(),
        },
        MOST_SCRIPTS,
      );
      return script === null
        ? {
            kind: 'refused',
            reason: 'full',
            message: `You have ${MOST_SCRIPTS.scripts} scripts. Delete one with script_delete`,
          }
        : { kind: 'saved', script };
    },
    accept: ({ version: _, ...script }, reviewer) =>
      store.scripts.save(
        {
          ...script,
          id: random.uuid(),
          owner: EVERYONE,
          shared: 'reviewed',
          reviewed_by: reviewer,
          created_at: clock.now(),
        },
        TEAM_SCRIPTS,
      ),
    async toolsOf(userId, revision) {
      const key = `${userId} ${revision}`;
      const known = layers.get(key);
      if (known !== undefined) return known;
      const made = await load(userId);
      const size = made.tools.reduce((sum, { tool }) => sum + JSON.stringify(tool.schema).length + 500, 500);
      // Another request may have made it meanwhile: the same tools keep their index.
      const first = layers.get(key) ?? made;
      layers.set(key, first, size);
      return first;
    },
  };
}
