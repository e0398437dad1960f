// Takes the prompts of imported servers into a set: as they are when somebody chooses them, and later only as somebody has
// looked at them. decision: 060
import { HttpError } from '../../http/errors.ts';
import { canonicalJson } from '../../json/canonical.ts';
import { isObject } from '../../json/json.ts';
import type { KnownCaller } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { RegisteredTool } from '../../kit/registry.ts';
import { parsePrompts, type ServedPrompt, type SetServer } from '../../kit/set-servers.ts';
import type { Ports } from '../../ports/ports.ts';
import { EVERYONE } from '../../ports/store.ts';

/** Has what everyone has. It is the id of no person. */
export const NOBODY = '-';

interface Wish {
  import: string;
  prompts: boolean;
  resources: boolean;
}

export interface SetPrompts {
  /** The chosen servers as they are stored. `had` keeps what was accepted. Throws what a person can read. */
  choose(
    caller: KnownCaller,
    owner: string,
    wishes: readonly Partial<Wish>[],
    had?: readonly SetServer[],
  ): Promise<SetServer[]>;
  /** What the server lists now, with the digest of it. */
  read(
    caller: KnownCaller,
    importName: string,
  ): Promise<{ prompts: readonly ServedPrompt[]; digest: string }>;
}

type Needs = Pick<Ports, 'digest'> & {
  execute: (
    caller: KnownCaller,
    execution: { tool: string; args: unknown; within: null; found: RegisteredTool },
  ) => Promise<{ kind: string; result?: unknown; message?: string }>;
  registries: Registries;
};

export function createSetPrompts({ digest, execute, registries }: Needs): SetPrompts {
  async function read(caller: KnownCaller, importName: string) {
    const integration = (await registries.of(caller.userId)).integration(importName);
    const tool = integration?.imported?.relays?.prompts;
    if (integration === null || tool === undefined)
      throw new HttpError(400, { error: `servers: ${notServed(importName)}` });
    const args = { method: 'prompts/list', params: {} };
    const { kind, result, message } = await execute(caller, {
      tool: tool.name,
      args,
      within: null,
      found: { tool, integration },
    });
    if (kind !== 'success' || !isObject(result))
      throw new HttpError(409, {
        error: `The prompts of ${integration.displayName} could not be read: ${message ?? kind}`,
      });
    const prompts = parsePrompts(result['prompts']);
    return { prompts, digest: digest.sha256(canonicalJson(prompts)) };
  }

  return {
    read,

    async choose(caller, owner, wishes, had = []) {
      const registry = await registries.of(owner === EVERYONE ? NOBODY : owner);
      const chosen: SetServer[] = [];
      for (const { import: name = '', prompts = false, resources = false } of wishes) {
        if (!prompts && !resources) continue;
        const before = had.find((server) => server.import === name);
        // A set keeps what its owner had once.
        if (before === undefined && registry.integration(name)?.imported?.relays === undefined)
          throw new HttpError(400, { error: `servers: ${notServed(name)}` });
        const accepted = prompts ? (before?.prompts ?? (await read(caller, name)).prompts) : null;
        chosen.push({ import: name, prompts: accepted === null ? null : [...accepted], resources });
      }
      return chosen;
    },
  };
}

const notServed = (name: string): string =>
  `there is no import ${JSON.stringify(name)} of an MCP server. GET /api/imports lists them`;
