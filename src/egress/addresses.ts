// Classifies IP addresses, however they are spelled. decision: 030
export type AddressKind =
  | 'public'
  | 'loopback'
  /** Private networks (RFC 1918, RFC 4193) and the networks of carriers (RFC 6598). */
  | 'private'
  /** Never an upstream: link-local, metadata services, multicast, unspecified, reserved, IPv4 inside IPv6. */
  | 'forbidden';

interface Range {
  /** The leading bits that all addresses of the range share. */
  prefix: bigint;
  /** The number of bits after the prefix. */
  rest: bigint;
}

const FORBIDDEN_4 = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Metadata services at public addresses.
  '100.100.100.200/32',
  '168.63.129.16/32',
].map(parseRange);
const LOOPBACK_4 = [parseRange('127.0.0.0/8')];
const PRIVATE_4 = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'].map(parseRange);

const LOOPBACK_6 = [parseRange('::1/128')];
const PRIVATE_6 = [parseRange('fc00::/7')];
// An address outside this range and PRIVATE_6 is forbidden: link-local, multicast, embedded IPv4 addresses.
const GLOBAL_6 = [parseRange('2000::/3')];
const FORBIDDEN_6 = [
  // Tunnels and documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  // Metadata services at private addresses.
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
].map(parseRange);

export function classifyAddress(address: string): AddressKind {
  const four = parseIPv4(address);
  if (four !== null) {
    if (isIn(four, FORBIDDEN_4)) return 'forbidden';
    if (isIn(four, LOOPBACK_4)) return 'loopback';
    return isIn(four, PRIVATE_4) ? 'private' : 'public';
  }
  const six = parseIPv6(address);
  if (six === null) return 'forbidden';
  if (isIn(six, LOOPBACK_6)) return 'loopback';
  if (isIn(six, FORBIDDEN_6)) return 'forbidden';
  if (isIn(six, PRIVATE_6)) return 'private';
  return isIn(six, GLOBAL_6) ? 'public' : 'forbidden';
}

/** Whether an address lies in a CIDR range. A single address is a range of one. */
export function isInRange(address: string, cidr: string): boolean {
  const value = cidr.includes(':') ? parseIPv6(address) : parseIPv4(address);
  const range = readRange(cidr);
  return value !== null && range !== null && isIn(value, [range]);
}

/** The address or, for IPv6, its /64 network: one holder can choose any address in that network. RFC 6177 */
export function holderOf(address: string): string {
  const six = parseIPv6(address);
  return six === null || six >> 32n === 0xffffn ? address : `${(six >> 64n).toString(16)}::/64`;
}

function isIn(address: bigint, ranges: readonly Range[]): boolean {
  return ranges.some(({ prefix, rest }) => address >> rest === prefix);
}

function parseRange(cidr: string): Range {
  const range = readRange(cidr);
  if (range === null) throw new TypeError(`${cidr} is not a range`);
  return range;
}

function readRange(cidr: string): Range | null {
  const [network = '', bits] = cidr.split('/');
  const [value, width] = network.includes(':') ? [parseIPv6(network), 128] : [parseIPv4(network), 32];
  if (value === null) return null;
  const rest = BigInt(width - (bits === undefined ? width : Number(bits)));
  return { prefix: value >> rest, rest };
}

function parseIPv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255))
    return null;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseIPv6(text: string): bigint | null {
  const dotted = /^(.*:)([\d.]+)$/.exec(text);
  const four = dotted === null ? null : parseIPv4(dotted[2] ?? '');
  const plain =
    four === null ? text : `${dotted?.[1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  const halves = plain.split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  // Refuses an address with a zone: only a link-local address has one.
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
