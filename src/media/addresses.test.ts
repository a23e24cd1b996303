import { describe, expect, it, test } from 'vitest'
import { isPrivateHost, isPublicAddress } from './addresses.ts'

const REFUSED = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'other notations of 127.0.0.1': ['2130706433', '0x7f000001', '0177.0.0.1', '0x7f.0.0.1', '127.1', '127.0.1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xc0a80101'],
  'link-local': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  metadata: ['169.254.169.254', '2852039166', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.254'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
  'reserved and documentation': [
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  unspecified: ['::', '0000:0000:0000:0000:0000:0000:0000:0000'],
  'unique local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  'IPv4-mapped': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '0:0:0:0:0:ffff:c0a8:101',
  ],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
  tunnels: ['2002:7f00:1::', '2002:808:808::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'documentation, discard, segment routing': ['2001:db8::1', '3fff::1', '100::1', '5f00::1'],
  'never given out': ['4000::1', '1::1', '8000::1'],
  'no address at all': ['', 'localhost', 'example.com', '1.2.3.4.5', '256.1.1.1', '[::1]'],
}

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.1.1',
  '223.255.255.254',
  '134744072',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
]

describe('isPublicAddress', () => {
  for (const [name, addresses] of Object.entries(REFUSED)) {
    it.each(addresses)(`refuses ${name}: %s`, (address) => {
      expect(isPublicAddress(address)).toBe(false)
    })
  }

  it.each(PUBLIC)('lets pass %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

test.each([
  ['localhost', true],
  ['receiver', true],
  ['alerts.svc.cluster.local', true],
  ['alerts.internal', true],
  ['nas.home.arpa', true],
  ['app.localhost', true],
  ['10.0.0.5', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['[fd00::1]', true],
  ['alerts.example.com', false],
  ['internal.example.com', false],
  ['notlocal.example', false],
  ['mylocal', true],
  ['8.8.8.8', false],
  ['[2001:4860:4860::8888]', false],
])('%s can only be private: %s', (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected)
})
