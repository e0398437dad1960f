// Serves the guides as skills: one of the gateway, and one of each integration that has something to say.
// SEP-2640; reference: Skills; decision: 052
import { JsonRpcCode } from '../http/error-codes.ts';
import type { Identity } from '../kit/actor.ts';
import { guideOf } from '../kit/guide-of.ts';
import { type Integration, titleOf } from '../kit/integration.ts';
import type { Visibility } from '../policy/model/visibility.ts';
import type { Ports } from '../ports/ports.ts';
import { takesAppsNow } from './apps.ts';
import { CARD_RESOURCE } from './card/page.ts';
import { capabilitiesIn, extensionIn } from './client-capabilities.ts';
import { GATEWAY_GUIDE } from './meta-tools/gateway-guide.ts';
import type { Request } from './json-rpc.ts';
import { type Reply, SERVER_INFO } from './methods.ts';
import { complete, SKILLS } from './modern.ts';

interface Skill {
  entry: {
    uri: string;
    frontmatter: { name: string; description: string };
    resources: readonly { uri: string; digest: string; size: number }[];
  };
  /** The whole SKILL.md. */
  text: string;
}

/** Answers what is about skills. Null for every other request. */
export type ReplyAboutSkills = (caller: Identity, request: Request) => Promise<Reply | null>;

// What a caller may use decides what is listed, and the guides change only with a release.
const CACHE = { ttlMs: 300_000, cacheScope: 'private' };

const MARKDOWN = 'text/markdown';

const encoder = new TextEncoder();

type Needs = Pick<Ports, 'digest' | 'guides'> & { visibility: Pick<Visibility, 'of'> };

export function createReplyAboutSkills({ digest, guides, visibility }: Needs): ReplyAboutSkills {
  const made = new Map<string, Skill>();
  let own: Skill | undefined;

  function make(folder: string, name: string, description: string, guide: string): Skill {
    const uri = `skill://${folder}${name}/SKILL.md`;
    // A JSON text is a YAML text, whatever is in it.
    const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${guide}`;
    const resource = { uri, digest: `sha256:${digest.sha256(text)}`, size: encoder.encode(text).length };
    return { entry: { uri, frontmatter: { name, description }, resources: [resource] }, text };
  }

  function skillOf(integration: Integration, guide: string): Skill {
    const known = made.get(integration.name);
    if (known !== undefined) return known;
    const description = `How to use the tools of ${titleOf(integration)} in this gateway: which come first, where ids come from, pages, limits and traps.`;
    // Names of skills have no underscores.
    const name = integration.name.replaceAll('_', '-');
    const skill = make('integrations/', name, description, guide);
    made.set(integration.name, skill);
    return skill;
  }

  /** The skills about what the caller may use, as a listing has them. */
  async function skillsFor(caller: Identity): Promise<Skill[]> {
    own ??= make(
      '',
      'tool-gateway',
      'How to find, connect and run the tools of this gateway, and what to do when a call does not run.',
      GATEWAY_GUIDE,
    );
    const [{ integrations }, known] = await Promise.all([visibility.of(caller), guides()]);
    const skills = integrations.flatMap((integration) => {
      const guide = guideOf(known, integration);
      return guide === undefined ? [] : [skillOf(integration, guide)];
    });
    return [own, ...skills];
  }

  return async function reply(caller, { method, params }) {
    const find = async () => (await skillsFor(caller)).find(({ entry }) => entry.uri === params['uri']);
    switch (method) {
      case 'skills/list':
        return answer({ skills: (await skillsFor(caller)).map(({ entry }) => entry) });
      case 'skills/get': {
        const skill = await find();
        return skill === undefined ? notFound(params['uri']) : answer({ skill: skill.entry });
      }
      case 'resources/list':
        // Other clients would show all guides to a person who looks for a file.
        return extensionIn(capabilitiesIn(params), SKILLS) !== undefined
          ? answer({ resources: [...(await skillsFor(caller)).map(describe), ...pagesFor(params)] })
          : null;
      case 'resources/read': {
        const skill = await find();
        if (skill === undefined) return null;
        const { entry, text } = skill;
        return answer({ contents: [{ uri: entry.uri, mimeType: MARKDOWN, text }] });
      }
      default:
        return null;
    }
  };
}

const answer = (result: Record<string, unknown>): Reply => ({
  result: complete({ serverInfo: SERVER_INFO }, { ...result, ...CACHE }),
});

/** A client that shows apps is told of the card too. */
const pagesFor = (params: Request['params']): Record<string, unknown>[] =>
  takesAppsNow(params) ? [CARD_RESOURCE] : [];

function notFound(uri: unknown): Reply {
  return { error: { code: JsonRpcCode.INVALID_PARAMS, message: 'Skill not found', data: { uri } } };
}

function describe({ entry: { uri, frontmatter, resources } }: Skill): Record<string, unknown> {
  return { uri, ...frontmatter, mimeType: MARKDOWN, size: resources[0]?.size };
}
