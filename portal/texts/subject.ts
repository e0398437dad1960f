// Holds the texts about the thing that a call is about to change, and of the rules that a person makes beside it.
export const subjectTexts = {
  title: (name: string) => `Now in ${name}`,
  by: (tool: string) => `Read just now with ${tool}, as data of the service.`,
  loading: 'Looking at it',
  more: (fields: number) => `${fields.toLocaleString('en')} more`,
  yes: 'yes',
  no: 'no',
  none: 'none',
  rules: 'Rule for this tool',
  allow: 'Always allow for my agents',
  ask: 'Always ask',
  note: 'A rule ends the calls that wait. The agent has to ask again.',
};
