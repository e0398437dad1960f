// The tool definitions of Anthropic, within the limits of https://docs.claude.com/en/docs/agents-and-tools/tool-use
// and of what its API refuses.
import type { JsonSchema } from '../../kit/validation.ts';
import { type Convert, withoutAtRoot, withoutBadNames } from './losses.ts';

type AnthropicTool = {
  name: string;
  description: string;
  input_schema: JsonSchema;
};

const NOT_AT_ROOT = ['oneOf', 'anyOf', 'allOf'];
const ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;

export const toAnthropic: Convert<AnthropicTool> = ({ name, description, schema }, lose) => {
  const input_schema = withoutBadNames(withoutAtRoot(schema, NOT_AT_ROOT, lose), { pattern: ARGUMENT, lose });
  if (input_schema === null) lose('', 'the tool is left out: it could not be called');
  return input_schema && { name, description, input_schema };
};
