// The function definitions of OpenAI: JSON Schema as it is, not strict, within the limits of
// https://platform.openai.com/docs/guides/function-calling and its API reference.
import type { JsonSchema } from '../../kit/validation.ts';
import { type Convert, cutDescription, withoutAtRoot } from './losses.ts';

type OpenAiFunction = {
  type: 'function';
  function: { name: string; description: string; parameters: JsonSchema; strict: false };
};

const MAX_DESCRIPTION = 1_024;
const NOT_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

/**
 * Strict mode would need every argument to be required and would lose most constraints. The gateway checks all arguments, so
 * nothing is gained by it.
 */
export const toOpenAi: Convert<OpenAiFunction> = ({ name, description, schema }, lose) => ({
  type: 'function',
  function: {
    name,
    description: cutDescription(description, MAX_DESCRIPTION, lose),
    parameters: withoutAtRoot(schema, NOT_AT_ROOT, lose),
    strict: false,
  },
});
