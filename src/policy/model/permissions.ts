// Decides what a caller may do: the strictest of the rules for everyone, of the person, and of the caller's own limits.
// reference: Rules; decision: 038
import { type Access, isWithin } from '../../kit/access.ts';
import {
  type Decision,
  type Identity,
  type Limits,
  type Redaction,
  serviceKeyIdOf,
} from '../../kit/actor.ts';
import type { Integration, RawTool, Tool } from '../../kit/integration.ts';
import { parseLimits, parseRules } from '../../kit/limits.ts';
import { namesOfServers, parseServers } from '../../kit/set-servers.ts';
import { parseTools } from '../../kit/set-tools.ts';
import { isForModel } from '../../kit/tool-app.ts';
import { andThen } from '../../memory/and-then.ts';
import { rememberParsed } from '../../memory/remember-parsed.ts';
import { createSharePerTick } from '../../memory/share-per-tick.ts';
import { NO_LIMITS, type PolicyRows, UNLIMITED } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import { type ClientUses, createNoteClientUse } from './client-uses.ts';
import { isOfKind, rawAccesses } from './raw-access.ts';
import {
  type CompiledRules,
  compileRules,
  holdsFor,
  type RuleList,
  stricter,
  type Subject,
} from './rules.ts';

/** The list that a decision comes from. */
export type DecidedBy = 'everyone' | 'person' | 'caller' | 'service';

export interface Verdict {
  decision: Decision;
  /** Null where nothing but the default applies. */
  by: DecidedBy | null;
  /** What the caller has read before, where that decided. */
  because?: string;
}

/** Decides about calls. */
export interface Decisions {
  /** Decides about a call of the tool. `value` is what its `parse` returned; without one, the least that a call can do. */
  ofTool(integration: Integration, tool: Tool, value?: unknown): Verdict;
  /**
   * Decides about a raw request that a server may take for any of the methods. A rule for a tool also holds for raw
   * requests of its kind, which could do the same. `tools` are those of the integration. `raised` is what the request does
   * beside what its methods say.
   */
  ofRequest(
    integration: Integration,
    tools: readonly RawTool[],
    methods: readonly string[],
    raised?: readonly Access[],
  ): Verdict;
}

export interface Permissions extends Decisions {
  /** True where everything is allowed, so that lists need no filter. */
  readonly isOpen: boolean;
  /** Changes with the rules and with the caller's stored limits. */
  readonly revision: string;
  /** The calls that the caller may begin in a minute, beside the limit of the person. */
  readonly perMinute: number | undefined;
  /** The calls that the person may begin in a minute by the rules for everyone. */
  readonly perPerson: number | undefined;
  /** Decides beside the others about a call that follows content from outside. Null where no rule asks for that. */
  readonly afterOutside: Decisions | null;
  /** What is taken out of the results of a tool, or of every raw request. */
  redactionsOf(integration: Integration, tool: Tool | null): ReadonlySet<Redaction> | null;
}

/** Reads the rules anew: a changed rule holds for the next call on every process. */
export type PermissionsOf = (identity: Identity) => Permissions | Promise<Permissions>;

interface Source<Rules = CompiledRules> {
  by: DecidedBy;
  rules: Rules;
}

/** What a set allows at this time. */
interface SetTools {
  tools: ReadonlySet<string>;
  version: string;
}

const ALLOWED: Verdict = { decision: 'allow', by: null };
const NO_TOOLS: SetTools = { tools: new Set(), version: '' };
const OPEN: Permissions = {
  isOpen: true,
  revision: '',
  perMinute: undefined,
  perPerson: undefined,
  afterOutside: null,
  redactionsOf: () => null,
  ofTool: () => ALLOWED,
  ofRequest: () => ALLOWED,
};

/** Rules may change while a caller sends its body slowly, so they are read again after this time. */
const FRESH_MS = 1_000;

export type PermissionNeeds = Pick<Ports, 'clock' | 'log' | 'store'> & { clientUses: ClientUses };

export function createPermissions(deps: PermissionNeeds): PermissionsOf {
  const { clock, store } = deps;
  const noteClientUse = createNoteClientUse(deps);
  const rows = createSharePerTick(clock, (key) => {
    const [userId = '', clientId] = key.split('\n');
    return store.policies.read(userId, clientId ?? null);
  });
  const rulesIn = rememberParsed((text) => compileRules(readStored(parseRules, text)));
  const groupedIn = rememberParsed((text) => {
    const rules = readStored(parseRules, text);
    return { rules, isGrouped: rules.some(({ groups }) => groups !== undefined) };
  });
  const holdingIn = rememberParsed((key) => {
    const [held = '', ...text] = key.split(' ');
    return compileRules(groupedIn(text.join(' ')).rules.filter((_, at) => held[at] === '1'));
  });
  const groups = createSharePerTick(clock, (userId) => store.groups.of(userId));
  const limitsIn = rememberParsed((text) => readStored(parseLimits, text));
  const toolsIn = rememberParsed((text) => new Set(readStored(parseTools, text)));
  const serversIn = rememberParsed((text) => namesOfServers(readStored(parseServers, text)));
  const sets = createSharePerTick(clock, (key) => {
    const [userId = '', name = ''] = key.split('\n');
    return store.sets.find(userId, name);
  });

  /** The sets that a caller is bound to. One that is gone allows nothing. */
  async function setsOf(userId: string, limits: readonly Limits[]): Promise<SetTools[]> {
    const names = limits.flatMap(({ set }) => set ?? []);
    return Promise.all(
      names.map(async (name) => {
        const record = await sets.read(`${userId}\n${name}`);
        if (record === null) return NO_TOOLS;
        const { tools, servers, version } = record;
        const others = serversIn(servers);
        return {
          tools: others.length === 0 ? toolsIn(tools) : toolsIn(tools).union(new Set(others)),
          version,
        };
      }),
    );
  }

  // The limits of a key and of a grant stay the same object while their text does.
  const compiledLimits = new WeakMap<Limits, CompiledRules>();

  function limitRulesOf(limits: Limits): CompiledRules {
    const rules = compiledLimits.get(limits) ?? limitRules(limits);
    compiledLimits.set(limits, rules);
    return rules;
  }

  /** The rules for everyone that hold for the person. Groups are read only where a rule names some. */
  async function rulesForEveryone(
    everyone: PolicyRows['everyone'],
    userId: string,
  ): Promise<{ rules: CompiledRules | null; held: string }> {
    if (isEmpty(everyone)) return { rules: null, held: '' };
    const { rules, isGrouped } = groupedIn(everyone.rules);
    if (!isGrouped) return { rules: rulesIn(everyone.rules), held: '' };
    const own = await groups.read(userId);
    const held = rules.map((rule) => (holdsFor(rule, own) ? '1' : '0')).join('');
    return { rules: held.includes('1') ? holdingIn(`${held} ${everyone.rules}`) : null, held };
  }

  function sourcesOf(
    forEveryone: CompiledRules | null,
    own: PolicyRows['own'],
    limits: readonly Limits[],
  ): Source[] {
    return [
      ...(forEveryone === null ? [] : [{ by: 'everyone' as const, rules: forEveryone }]),
      ...(isEmpty(own) ? [] : [{ by: 'person' as const, rules: rulesIn(own.rules) }]),
      ...limits.map((each) => ({ by: 'caller' as const, rules: limitRulesOf(each) })),
    ];
  }

  return function permissionsOf(identity) {
    const { actor, withoutRulesAt } = identity;
    const isFresh = withoutRulesAt !== undefined && clock.millis() - withoutRulesAt < FRESH_MS;
    const isOpen = isFresh && actor.clientId === null && actor.limits.length === 0;
    return andThen(isOpen ? OPEN : readPermissions(identity), (permissions) =>
      serviceKeyIdOf(actor) === null ? permissions : withoutAsking(permissions),
    );
  };

  async function readPermissions({ userId, actor }: Identity): Promise<Permissions> {
    const { clientId, limits: ownLimits } = actor;
    const key = clientId === null ? userId : `${userId}\n${clientId}`;
    const read = await rows.read(key);
    if (clientId !== null) noteClientUse(userId, clientId);
    const { everyone, own, grant } = read;
    const isOver = grant !== null && grant.expires_at !== null && grant.expires_at <= clock.now();
    // The row of a client that nobody has limited only says when the client was used.
    const granted = grant === null || grant.limits === NO_LIMITS ? [] : [limitsIn(grant.limits)];
    const limits = [...ownLimits, ...granted, ...(isOver ? [NOTHING] : [])];
    if (everyone === null && own === null && limits.length === 0) return OPEN;
    const [bound, { rules: forEveryone, held }] = await Promise.all([
      setsOf(userId, limits),
      rulesForEveryone(everyone, userId),
    ]);
    const sources = [
      ...sourcesOf(forEveryone, own, limits),
      ...bound.map(({ tools }) => ({ by: 'caller' as const, rules: onlyTools(tools) })),
    ];
    const rates = limits.flatMap(({ perMinute }) => perMinute ?? []);
    return {
      isOpen: sources.length === 0,
      revision: [
        ...[everyone, own, grant].map((row) => row?.revision ?? UNLIMITED.revision),
        ...bound.map(({ version }) => version),
        ...(held === '' ? [] : [held]),
      ].join('.'),
      perMinute: rates.length === 0 ? undefined : Math.min(...rates),
      perPerson: forEveryone?.perMinute,
      ...decisionsBy(sources),
      afterOutside: afterOutsideIn(sources),
      redactionsOf: redactionsBy(sources),
    };
  }
}

/** Nobody is there whom an actor of a service key could ask. decision: 074 */
function withoutAsking(permissions: Permissions): Permissions {
  const { afterOutside } = permissions;
  return {
    ...permissions,
    ...answering(permissions),
    afterOutside: afterOutside === null ? null : answering(afterOutside),
  };
}

const answering = (decisions: Decisions): Decisions => ({
  ofTool: (...asked) => unasked(decisions.ofTool(...asked)),
  ofRequest: (...asked) => unasked(decisions.ofRequest(...asked)),
});

const unasked = (verdict: Verdict): Verdict =>
  verdict.decision === 'allow' ? verdict : { ...verdict, decision: 'block', by: 'service' };

const decisionsBy = (sources: readonly Source<RuleList>[]): Decisions => ({
  ofTool: (integration, tool, value) => decideTool(sources, integration, tool, value),
  ofRequest: (integration, tools, methods, raised = []) =>
    [
      decideRaw(sources, { integration, tool: null, tools, methods }),
      ...raised.map((access) => strictest(sources, { integration: integration.name, tool: null, access })),
    ].reduce(strictestOf, ALLOWED),
});

function afterOutsideIn(sources: readonly Source[]): Decisions | null {
  const after = sources.flatMap(({ by, rules: { afterOutside: rules } }) =>
    rules === null ? [] : [{ by, rules }],
  );
  return after.length === 0 ? null : decisionsBy(after);
}

function redactionsBy(sources: readonly Source[]): Permissions['redactionsOf'] {
  const lists = sources.flatMap(({ rules }) => rules.redactions ?? []);
  if (lists.length === 0) return () => null;
  return ({ name: integration, tools }, tool) => {
    // A raw request could bring what any tool brings.
    const subjects =
      tool === null
        ? [{ name: null, access: 'read' as const }, ...tools]
        : [{ name: tool.name, access: tool.access }];
    const found = subjects.flatMap(({ name, access }) =>
      lists.flatMap((redactions) => redactions({ integration, tool: name, access })),
    );
    return found.length === 0 ? null : new Set(found);
  };
}

/** A caller reads the message. The log has the cause, which may repeat what is stored. */
function readStored<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (cause) {
    throw new Error(UNREADABLE, { cause });
  }
}

const UNREADABLE =
  'The stored rules of this gateway, of the person or of this client cannot be read, so nothing runs. Somebody has to save them again in the portal';

/** The limits of a grant that is over. */
const NOTHING: Limits = { rules: [{ decision: 'block' }] };

const isEmpty = (row: PolicyRows['own']): row is null => row === null || row.rules === '[]';

function limitRules({ integrations, access, rules = [] }: Limits): CompiledRules {
  const { decide, ...others } = compileRules(rules);
  return {
    ...others,
    decide(subject) {
      if (integrations?.includes(subject.integration) === false) return 'block';
      if (access !== undefined && !isWithin(subject.access, access)) return 'block';
      return decide(subject);
    },
  };
}

/** Raw requests have no tool, and could do anything. */
const onlyTools = (tools: ReadonlySet<string>): CompiledRules => ({
  byTool: NO_RULES,
  afterOutside: null,
  redactions: null,
  decide: ({ tool, shownBy = [] }) =>
    tool !== null && [tool, ...shownBy].some((name) => tools.has(name)) ? 'allow' : 'block',
});

const NO_RULES: RuleList['byTool'] = new Map();

function decideTool(
  sources: readonly Source<RuleList>[],
  integration: Integration,
  tool: Tool,
  value: unknown,
): Verdict {
  const { name, access } = tool;
  if (tool.methodsOf === undefined) {
    const verdict = strictest(sources, {
      integration: integration.name,
      tool: name,
      access,
      ...(isForModel(tool) ? {} : { shownBy: namesWithPages(integration) }),
    });
    const others = value === undefined ? [] : (tool.otherMethodsOf?.(value) ?? []);
    if (others.length === 0) return verdict;
    // The request may do what another tool does, also one that is left out.
    const tools = [...integration.tools, ...(integration.imported?.unlisted ?? [])];
    return strictestOf(verdict, decideRaw(sources, { integration, tool: name, tools, methods: others }));
  }
  const methods = value === undefined ? ['GET'] : tool.methodsOf(value);
  return decideRaw(sources, { integration, tool: name, tools: integration.tools, methods });
}

const namesWithPages = ({ tools }: Integration): string[] =>
  tools.flatMap(({ app, name }) => (app === undefined ? [] : [name]));

interface RawSubject {
  integration: Integration;
  /** The tool that sends the request. Null for a request through `/c`. */
  tool: string | null;
  tools: readonly RawTool[];
  methods: readonly string[];
}

function decideRaw(
  sources: readonly Source<RuleList>[],
  { integration, tool, tools, methods }: RawSubject,
): Verdict {
  const subject = { integration: integration.name, tool };
  return methods
    .flatMap((method) => [
      ...rawAccesses(integration, method).map((access) => strictest(sources, { ...subject, access })),
      strictestToolRule(sources, integration, tools, method),
    ])
    .reduce(strictestOf, ALLOWED);
}

function strictest(sources: readonly Source<RuleList>[], subject: Subject): Verdict {
  let verdict = ALLOWED;
  for (const { by, rules } of sources) verdict = strictestOf(verdict, verdictOf(by, rules.decide(subject)));
  return verdict;
}

/** What the rules for single tools say of those that a raw request could replace. */
function strictestToolRule(
  sources: readonly Source<RuleList>[],
  integration: Integration,
  tools: readonly RawTool[],
  method: string,
): Verdict {
  const named = tools.filter((tool) => isOfKind(integration, tool, method));
  return sources
    .flatMap(({ by, rules }) =>
      rules.byTool.size === 0
        ? []
        : named.flatMap(({ name }) =>
            (rules.byTool.get(name) ?? []).map(({ decision }) => verdictOf(by, decision)),
          ),
    )
    .reduce(strictestOf, ALLOWED);
}

const verdictOf = (by: DecidedBy, decision: Decision): Verdict =>
  decision === 'allow' ? ALLOWED : { decision, by };

/** The first of two equally strict verdicts, so that the rules for everyone are named before the person's. */
function strictestOf(one: Verdict, other: Verdict): Verdict {
  return stricter(one.decision, other.decision) === one.decision ? one : other;
}
