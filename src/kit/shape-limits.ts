// The limits of what people send. reference: Limits

export const FILE_SECONDS = 24 * 3_600;
export const RULES_PER_LIST = 500;
export const LIMITED_INTEGRATIONS = 200;
