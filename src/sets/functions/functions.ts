// Makes the function definitions of a set for one vendor. reference: Sets for other programs
import type { RegisteredTool } from '../../kit/registry.ts';
import { toAnthropic } from './anthropic.ts';
import { toGemini } from './gemini.ts';
import { convertAll, type Loss } from './losses.ts';
import { toOpenAi } from './openai.ts';

export const VENDORS = ['openai', 'anthropic', 'gemini'] as const;
export type Vendor = (typeof VENDORS)[number];

const CONVERT = { openai: toOpenAi, anthropic: toAnthropic, gemini: toGemini };

/** `losses` says what the vendor's form cannot carry. The gateway checks all arguments all the same. */
export function functionsFor(
  vendor: Vendor,
  tools: readonly RegisteredTool[],
): { functions: Record<string, unknown>[]; losses: Loss[] } {
  const described = tools.map(({ tool: { name, description, schema } }) => ({ name, description, schema }));
  return convertAll<Record<string, unknown>>(described, CONVERT[vendor]);
}
