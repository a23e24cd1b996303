import { expect, test } from 'vitest'
import { resolveEndpoint } from './endpoints.ts'
import type { Manifest } from './network.ts'

const manifest = {
  name: 'example',
  title: 'Example',
  endpoints: { api: { default: 'https://api.example/', setting: 'API' } },
} as Partial<Manifest> as Manifest
const options = {
  identityEndpoints: { api: 'https://own.example' },
  sandbox: false,
  sandboxUrl: 'http://127.0.0.1:4010/sandbox',
  settings: { API: 'https://proxy.example' },
}

test.each([
  ['the sandbox before all', { sandbox: true }, 'http://127.0.0.1:4010/sandbox/example/api'],
  ["the identity's own address", {}, 'https://own.example'],
  ["the installation's", { identityEndpoints: {} }, 'https://proxy.example'],
  ["the network's", { identityEndpoints: {}, settings: {} }, 'https://api.example'],
])('%s', (_, change, address) => {
  expect(resolveEndpoint(manifest, 'api', { ...options, ...change })).toBe(address)
})

test('a name that the manifest does not have is a bug', () => {
  expect(() => resolveEndpoint(manifest, 'video', options)).toThrow(/no endpoint video/)
})
