// Turns limits into what a form shows, and the form back into limits.
import type { Limits } from '../../api/agents.ts';
import type { Access, Tool } from '../../api/tools.ts';
import { keysTexts } from '../../texts/keys.ts';
import { isWithin } from './describe-limits.ts';
import { allowOnly, readOnlyTools, type ToolChoice, toolChoiceOf } from './only-tools.ts';

const words = keysTexts.form;
const DAY_SECONDS = 86_400;
const MAX_RATE = 1_000_000;

export const ENDS = ['never', 'week', 'month', 'quarter', 'year', 'date'] as const;
/** `kept` leaves the end as it is stored. */
export type End = (typeof ENDS)[number] | 'kept';
const DAYS = { week: 7, month: 30, quarter: 90, year: 365 } as const;

export interface LimitsDraft {
  /** `destroy` is no limit. */
  access: Access;
  isAll: boolean;
  integrations: readonly string[];
  end: End;
  /** A day as the browser writes it: 2030-03-01. */
  date: string;
  rate: string;
  toolChoice: ToolChoice;
  tools: readonly string[];
  /** Empty for no set. */
  set: string;
}

export type Problems = Partial<Record<'integrations' | 'date' | 'rate' | 'tools', string>>;

/** The limits of a new key before the person adds what the agent needs. */
export const NEW_KEY: LimitsDraft = {
  access: 'read',
  isAll: true,
  integrations: [],
  end: 'quarter',
  date: '',
  rate: '',
  toolChoice: 'all',
  tools: [],
  set: '',
};

export function draftOf(limits: Limits): LimitsDraft {
  const { access = 'destroy', integrations, rules = [], perMinute, expiresAt, set = '' } = limits;
  return {
    access,
    isAll: integrations === undefined,
    integrations: integrations ?? [],
    end: expiresAt === undefined ? 'never' : 'kept',
    date: '',
    rate: perMinute === undefined ? '' : String(perMinute),
    toolChoice: toolChoiceOf(rules),
    tools: readOnlyTools(rules) ?? [],
    set,
  };
}

export function findProblems(draft: LimitsDraft, now: number): Problems {
  const { isAll, integrations, end, date, rate, toolChoice, tools } = draft;
  const count = Number(rate);
  const isRate = Number.isInteger(count) && count >= 1 && count <= MAX_RATE;
  return {
    ...(isAll || integrations.length > 0 ? {} : { integrations: words.noneChosen }),
    ...(end === 'date' && !(endOfDay(date) > now) ? { date: words.dateMissing } : {}),
    ...(rate.trim() === '' || isRate ? {} : { rate: words.rateWrong }),
    ...(toolChoice === 'some' && tools.length === 0 ? { tools: words.noToolChosen } : {}),
  };
}

/** Reads a draft without problems. Rules and an end that the person keeps come from the stored limits. */
export function limitsOf(draft: LimitsDraft, stored: Limits, now: number): Limits {
  const { access, isAll, integrations, rate, set } = draft;
  const rules = rulesOf(draft, stored);
  const expiresAt = endOf(draft, stored, now);
  return {
    ...(access === 'destroy' ? {} : { access }),
    ...(isAll ? {} : { integrations }),
    ...(rules === undefined ? {} : { rules }),
    ...(set === '' ? {} : { set }),
    ...(rate.trim() === '' ? {} : { perMinute: Number(rate) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function rulesOf({ toolChoice, tools }: LimitsDraft, stored: Limits): Limits['rules'] {
  if (toolChoice === 'kept') return stored.rules;
  return toolChoice === 'some' ? allowOnly(tools) : undefined;
}

function endOf({ end, date }: LimitsDraft, stored: Limits, now: number): number | undefined {
  switch (end) {
    case 'never':
      return undefined;
    case 'kept':
      return stored.expiresAt;
    case 'date':
      return endOfDay(date);
    default:
      return now + DAYS[end] * DAY_SECONDS;
  }
}

/** Whether the access and the integrations of the draft allow the tool. */
export function allowsTool(
  { access, isAll, integrations }: Pick<LimitsDraft, 'access' | 'isAll' | 'integrations'>,
  tool: Pick<Tool, 'name' | 'integration' | 'access'>,
): boolean {
  if (!isAll && !integrations.includes(tool.integration)) return false;
  // This tool sends any request, and the method of the request decides.
  return tool.name === `${tool.integration}_request` || isWithin(tool.access, access);
}

/** The last second of the day where the person is. */
function endOfDay(date: string): number {
  return Math.floor(new Date(`${date}T23:59:59`).getTime() / 1000);
}
