// The limits of the authorization server. reference: Limits

export const CODE_SECONDS = 60;
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600;
export const CLIENT_STATE_BYTES = 2_048;
export const AUTHORIZE_REQUEST_BYTES = 5_632;
export const TICKET_CHARACTERS = 1_700;
export const REDIRECT_URIS = 20;
export const REDIRECT_URI_CHARACTERS = 2_048;
export const CLIENT_NAME_CHARACTERS = 200;
export const REUSE_GRACE_SECONDS = 60;
export const CLIENT_IDLE_SECONDS = 90 * 24 * 3_600;
export const CLIENT_UNUSED_SECONDS = 24 * 3_600;
// Every twentieth registration of a process trims the never-used clients to 9,800, so ten processes stay below 10,000.
export const UNUSED_CLIENTS_KEPT = 9_800;
export const REGISTRATIONS_BETWEEN_TRIMS = 20;
export const REGISTRATION_BYTES = 4_096;
export const CLIENT_DOCUMENT_SECONDS = 600;
export const CLIENT_DOCUMENTS = 1_000;
