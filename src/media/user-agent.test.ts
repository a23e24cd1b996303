import { expect, test } from 'vitest'
import { userAgentOf } from './user-agent.ts'

test.each([
  ['https://almanac.example.com', 'Almanac/0.1 (+https://almanac.example.com)'],
  ['https://example.com:8443/almanac', 'Almanac/0.1 (+https://example.com:8443/almanac)'],
  ['https://münchen.example', 'Almanac/0.1 (+https://xn--mnchen-3ya.example)'],
  ['http://8.8.8.8:4010', 'Almanac/0.1 (+http://8.8.8.8:4010)'],
  ['http://127.0.0.1:4010', 'Almanac/0.1'],
  ['http://[::1]:4010', 'Almanac/0.1'],
  ['http://localhost:4010', 'Almanac/0.1'],
  ['http://192.168.1.20', 'Almanac/0.1'],
  ['http://nas.local', 'Almanac/0.1'],
  ['http://almanac', 'Almanac/0.1'],
  ['not an address', 'Almanac/0.1'],
  [null, 'Almanac/0.1'],
])('of an installation at %s: %s', (publicUrl, words) => {
  expect(userAgentOf(publicUrl)).toBe(words)
})
