// The limits of a description. reference: OpenAPI services

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** Reading a byte of YAML costs several times as much as reading a byte of JSON. */
export const MAX_YAML_BYTES = 6 * 1024 * 1024;
/** The largest known descriptions have 280,000 values. Parsing so many takes up to half a second. */
export const MAX_DOCUMENT_VALUES = 300_000;
/** The steps of a longer description are heavy: 600 KB of YAML may have all the values, and take 50 ms. */
export const HEAVY_DESCRIPTION = 64 * 1024;
/** Some descriptions have a file for each operation, and one for each schema. */
export const MAX_FILES = 2_000;
export const MAX_FILES_BYTES = 4 * 1024 * 1024;
/** The memory that the reader of YAML takes for a value while it reads: up to 750 bytes. */
export const YAML_VALUE_BYTES = 768;
