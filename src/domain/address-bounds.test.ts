import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { addressBounds, countedAddress, networksOf } from './address-bounds.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:DB8:1:2::1]:5', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['203.0.113', null],
  ['unknown', null],
  [undefined, null],
])('%s is counted as %s', (text, counted) => {
  expect(countedAddress(text)).toBe(counted)
})

test('of IPv6 the /64 has the bound of a client, and the /48 sixteen times it', () => {
  const bounds = (address: string) => addressBounds('sign-in', countedAddress(address) ?? 'unknown', 5)
  expect(bounds('2001:db8:1:ffff::7')).toEqual([
    { subject: 'sign-in:2001:db8:1:ffff::/64', limit: 5, shared: false },
    { subject: 'sign-in:2001:db8:1::/48', limit: 80, shared: true },
  ])
  for (const [address, name] of [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['no address', 'unknown'],
  ] as const) {
    expect(bounds(address)).toEqual([{ subject: `sign-in:${name}`, limit: 5, shared: false }])
  }
  expect(networksOf('2001:db8:0:1::/64').at(-1)?.name).toBe('2001:db8::/48')
})

test('nothing else makes a subject of an address', async () => {
  const made = []
  for await (const path of glob('src/**/*.ts')) {
    if (path.endsWith('.test.ts') || path === 'src/domain/address-bounds.ts') continue
    const text = readFileSync(path, 'utf8')
    for (const [found] of text.matchAll(/`[^`\n/]*:\$\{[^}]*(?:\baddress\b|addressOf\()[^}]*\}[^`\n]*`/gi))
      made.push(`${path}: ${found}`)
  }
  expect(made).toEqual([])
})
