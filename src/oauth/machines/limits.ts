// The limits of machines that call. reference: Limits

export const MACHINE_TOKEN_SECONDS = 3_600;
export const MACHINE_CLIENTS_PER_PERSON = 100;
export const TRUSTED_ISSUERS = 100;
export const RULES_PER_ISSUER = 50;
export const CLAIMS_PER_RULE = 20;
export const PATTERN_CHARACTERS = 500;
export const SUBJECT_CHARACTERS = 1_024;
export const MACHINE_JWT_CHARACTERS = 16_384;
/** How long the signed proof of a client may be valid. Libraries use a minute or five. */
export const CLIENT_PROOF_SECONDS = 3_600;
