import { expect, test } from 'vitest'
import { isPrivateHost } from './receiver.ts'

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
