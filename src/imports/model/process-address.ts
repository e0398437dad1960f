// The address of a server that the gateway starts itself: `stdio:` and the server's name in the operator's file.
const SCHEME = 'stdio:';

export const addressOfProcess = (name: string): string => `${SCHEME}${name}`;

export const isProcess = (address: string): boolean => address.startsWith(SCHEME);

export const nameOfProcess = (address: string): string => address.slice(SCHEME.length);
