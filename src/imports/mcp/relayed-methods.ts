// Names the methods of MCP about prompts and resources that sets relay.

export const RELAYED = [
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const;
export type Relayed = (typeof RELAYED)[number];
