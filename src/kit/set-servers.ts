// Reads and writes what a set takes of imported servers beside their tools, as it is stored: their prompts as they were
// accepted, and whether their resources are relayed.
import * as z from 'zod';

const Prompt = z.object({
  /** The name in the set. */
  name: z.string(),
  /** What its server calls it. */
  source: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      required: z.boolean().optional(),
    }),
  ),
});
const Server = z.object({
  import: z.string(),
  /** Null where the set takes none. */
  prompts: z.array(Prompt).nullable(),
  resources: z.boolean(),
});
const Servers = z.array(Server);

export type ServedPrompt = z.infer<typeof Prompt>;
export type SetServer = z.infer<typeof Server>;

/** Throws for a text that the gateway has not written: nothing may be allowed by mistake. */
export const parseServers = (text: string): readonly SetServer[] => Servers.parse(JSON.parse(text));
export const writeServers = (servers: readonly SetServer[]): string => JSON.stringify(servers);

export const parsePrompts = (value: unknown): readonly ServedPrompt[] => z.array(Prompt).parse(value);

/** What rules and the record call the prompts and the resources of an import. No tool can have such a name. */
export const promptsName = (importName: string): string => `${importName}:prompts`;
export const resourcesName = (importName: string): string => `${importName}:resources`;

/** The names that a caller may use who is bound to the set. */
export const namesOfServers = (servers: readonly SetServer[]): string[] =>
  servers.flatMap(({ import: name, prompts, resources }) => [
    ...(prompts === null ? [] : [promptsName(name)]),
    ...(resources ? [resourcesName(name)] : []),
  ]);
