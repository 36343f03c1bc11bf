import { expect, test } from 'vitest';
import { judgeUrl } from './judge-url.ts';
import { isPublicAddress } from './public-address.ts';

const NOT_PUBLIC = [
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ['shared', '100.64.0.1', '100.127.255.255', '100.100.100.200'],
  ['loopback', '127.0.0.1', '127.255.255.254'],
  ['link-local and metadata', '169.254.0.1', '169.254.169.254', '168.63.129.16', '192.0.0.192'],
  ['documentation and tests', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255'],
  ['relays', '192.88.99.1'],
  ['multicast and reserved', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ['IPv6 loopback and none', '::1', '::'],
  [
    'IPv4 within IPv6',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::ffff:0:1.2.3.4',
  ],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ['6to4 and Teredo', '2002:7f00:1::', '2002:c0a8:1::1', '2001:0:4136:e378::1'],
  ['IPv6 unique local', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
  ['IPv6 link-local and site-local', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1', 'ff0e::1'],
  ['IPv6 documentation and discard', '2001:db8::1', '3fff::1', '100::1', '5f00::1'],
  ['no address', '', 'localhost', '1.2.3', '999.1.1.1', '1.2.3.4.5', '0x7f.1'],
] as const;
test.each(NOT_PUBLIC.flatMap(([what, ...addresses]) => addresses.map((address) => [what, address])))(
  '%s: %s is not public',
  (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  },
);

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '169.253.1.1',
  '223.255.255.255',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
test.each(['2606:4700::1111', '2a00:1450:4001::1', '2400:cb00::1'])('%s is public too', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

/** The same few addresses in every notation that a browser or curl understands. */
test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fe80::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://10.0.0.1:8080/',
  'http://192.168.1.1/',
  'https://172.20.0.1/',
  'http://100.64.0.1/',
  'http://user:password@127.0.0.1/',
  'http://example.com@127.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://a.localhost/',
  'http://metadata.google.internal/',
  'http://printer.local/',
  'http://router.lan/',
  'http://postgres/',
  'http://intranet/',
])('%s leads into a network that is not public', (url) => {
  expect(judgeUrl(url, false).verdict).toBe('private');
});

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'example.com',
  'http://',
  'http://[::1',
  'http://1.2.3.4.5.6/',
  'http://256.0.0.1/',
  'http://a b/',
  'http://[fe80::1%25eth0]/',
  '',
])('%j is no address of a webhook', (url) => {
  expect(judgeUrl(url, false).verdict).toBe('invalid');
});

test.each([
  'http://example.com:22/',
  'https://example.com:25/',
  'http://8.8.8.8:53/',
  'http://example.com:1/',
])('%s is at a port of another service', (url) => {
  expect(judgeUrl(url, false).verdict).toBe('port');
});

test.each([
  'https://example.com/hook',
  'http://example.com:80/',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'http://[2606:4700::1111]:8080/',
])('%s is fine', (url) => {
  expect(judgeUrl(url, false).verdict).toBe('fine');
});

test('where the operator allows it, an inner address is fine', () => {
  expect(judgeUrl('http://127.0.0.1:25/', true).verdict).toBe('fine');
  expect(judgeUrl('ftp://127.0.0.1/', true).verdict).toBe('invalid');
});
