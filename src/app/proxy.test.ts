import { expect, test } from 'vitest'
import { proxyWarning } from './proxy.ts'

const warned = (publicUrl: string | null, more: Partial<Parameters<typeof proxyWarning>[0]> = {}) =>
  proxyWarning({ publicUrl, trustProxy: false, host: '127.0.0.1', port: 4010, ...more }) !== null

test.each([
  ['https://almanac.example', {}],
  ['http://almanac.example', {}],
  ['http://192.168.0.5:4010', {}],
  ['http://192.168.0.5:8080', { host: '0.0.0.0' }],
  ['https://almanac.example:4010', { host: '0.0.0.0' }],
])('%s %j is warned of', (publicUrl, more) => {
  expect(warned(publicUrl, more)).toBe(true)
})

test.each([
  [null, {}],
  ['http://localhost:4010', {}],
  ['https://[::1]:8443', {}],
  ['http://127.0.0.1:8080', {}],
  ['http://192.168.0.5:4010', { host: '0.0.0.0' }],
  ['http://almanac.lan', { host: '192.168.0.5', port: 80 }],
  ['https://almanac.example', { trustProxy: 1 }],
  ['https://almanac.example', { trustProxy: ['10.0.0.0/8'] }],
] as const)('%s %j is not', (publicUrl, more) => {
  expect(warned(publicUrl, more)).toBe(false)
})

test.each([null, 'http://localhost:4010', 'https://almanac.example'])(
  'believing every proxy is warned of, with the setting that helps: %s',
  (publicUrl) => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const words = proxyWarning({ publicUrl, trustProxy: true, host, port: 4010 })
      expect(words).toMatch(/^ALMANAC_TRUST_PROXY is on: .*ALMANAC_TRUST_PROXY=1\b/)
    }
  },
)
