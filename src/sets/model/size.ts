// Estimates how many tokens a list of tools is for a model.

/** Measured with the o200k tokenizer over the definitions of all built-in tools. */
const CHARACTERS_PER_TOKEN = 4.2;

export const tokensOf = (characters: number): number => Math.round(characters / CHARACTERS_PER_TOKEN);
