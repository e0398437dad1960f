// The limits of kept files. reference: Limits

export const FILE_LINK_SECONDS = 3_600;
export const FILE_BYTES = 512 * 1024 * 1024;
export const FILES_PER_PERSON = 1_000;
export const FILES_PAGE = 100;
export const FILE_ARGUMENT_BYTES = 64 * 1024;
export const TOOL_FILE_BYTES = 32 * 1024 * 1024;
export const FILE_TEXT_BYTES = 50_000;
/** What a driver may hold of an upload: two parts. */
export const FILE_TRANSFER_BYTES = 16 * 1024 * 1024;
