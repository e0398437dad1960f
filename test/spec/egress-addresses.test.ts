// Tests how an IP address is classified: the first and last of each range, and their neighbours. decision: 030,
// what kind of address an IP is: the first and the last of each range, and their neighbours
import { describe, expect, it } from 'vitest';
import { classifyAddress, isInRange } from '../../src/egress/addresses.ts';

const KINDS = {
  public: `
    1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
    168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0
    192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
    198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 2000:: 2001:200::
    2001:db7:ffff:ffff:: 2001:db9:: 2001:ffff:: 2003:: 2606:4700::1111 3ffe:ffff:: 3fff:1000::
    3fff:ffff:: 2606:4700::ABCD 2606:2:3:4::6:7:8 2606::1.2.3.4`,
  loopback: `
    127.0.0.0 127.0.0.1 127.255.255.255 ::1 0:0:0:0:0:0:0:1 ::0.0.0.1`,
  private: `
    10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 100.64.0.0
    100.100.100.199 100.100.100.201 100.127.255.255 fc00:: fdff:ffff::ffff fd00:ec2::253
    fd00:ec2::255 fd20:ce::253 fd20:ce::255`,
  forbidden: `
    0.0.0.0 0.255.255.255 169.254.0.0 169.254.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255
    198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 192.88.99.0 192.88.99.255 198.18.0.0
    198.19.255.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 100.100.100.200 168.63.129.16
    192.0.0.192 fd00:ec2::254 fd20:ce::254 :: ::2 ::7f00:1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8
    64:ff9b::8.8.8.8 64:ff9b:1::808:808 2001:: 2001:1ff:ffff:: 2002:: 2002:808:808:: 2002:ffff:ffff::
    2001:db8:: 2001:db8:ffff:ffff:: 3fff:: 3fff:fff:ffff:: 5f00::1 100::1 fe80::1 fec0::1 ff02::1
    1fff:ffff:: 4000:: fbff:ffff:: fe00:: localhost 1.2.3 1.2.3.4.5 1.2.3.256 1.2.3.4000 1.2.3.x 1.2.3. 1.2.3.0x1
    1.2.3.4e0 1.2.3.+4 2606::1::2 2606:2:3:4::5:6:7:8::9 :
    ::: 1::2::3 2606:4700 1:2:3:4:5:6:7 2606:2:3:4:5:6:7:8:9 2606::12345 2606::1.2.3 2606:1.2.3.4::
    2606::1%eth0 2606:2:3:4::5:6:7:8 2606:2:3:4:5:6:7:8::`,
};

describe.each(Object.entries(KINDS))('an address that is %s', (kind, addresses) => {
  it.each(addresses.trim().split(/\s+/))('covers %s', (address) => {
    expect(classifyAddress(address)).toBe(kind);
  });
});

it.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.0.0.0', '10.0.0.0/8', false],
  ['10.0.0.7', '10.0.0.7', true],
  ['10.0.0.8', '10.0.0.7', false],
  ['fd00::1', 'fd00::/16', true],
  ['fd01::1', 'fd00::/16', false],
  ['fd00::1', 'fd00::1', true],
  ['fd00::2', 'fd00::1', false],
  ['fd00::1', '0.0.0.0/0', false],
  ['10.0.0.1', '::/0', false],
  ['10.0.0.1', 'nonsense', false],
  ['fd00::10.11.12.13', 'fd00::a0b:c0d', true],
])('decides with EGRESS_ALLOW whether %s is in %s: %s', (address, range, expected) => {
  expect(isInRange(address, range)).toBe(expected);
});
