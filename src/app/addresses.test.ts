import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '#config'
import { addressesOf, claimablePort } from './addresses.ts'
import { StartError } from './start-error.ts'

const read = (environment: Record<string, string>, together: boolean) =>
  addressesOf(readConfig(environment, { projectDir: '/', networkSettings: [] }), { port: 4010, together })

test.each<[Record<string, string>, boolean, string, string]>([
  [{}, true, 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/sandbox'],
  [{}, false, 'http://127.0.0.1:4010', 'http://127.0.0.1:4011/sandbox'],
  [{ ALMANAC_HOST: '0.0.0.0' }, true, 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/sandbox'],
  [{ ALMANAC_HOST: '::' }, true, 'http://[::1]:4010', 'http://[::1]:4010/sandbox'],
  [{ ALMANAC_SANDBOX_PORT: '5' }, false, 'http://127.0.0.1:4010', 'http://127.0.0.1:5/sandbox'],
  [
    { ALMANAC_PUBLIC_URL: 'https://a.example/x/', ALMANAC_SANDBOX_URL: 'http://box:4011' },
    false,
    'https://a.example/x',
    'http://box:4011/sandbox',
  ],
  [{ ALMANAC_SANDBOX_URL: 'http://box/sandbox/' }, true, 'http://127.0.0.1:4010', 'http://box/sandbox'],
])('%j, together %s: %s and %s', (environment, together, publicUrl, sandboxUrl) => {
  expect(read(environment, together)).toEqual({ publicUrl, sandboxUrl })
})

test('a port that is free is claimed and let go again, one that is taken is refused', async () => {
  const port = await claimablePort('127.0.0.1', 0, 'ALMANAC_PORT')
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  await expect(claimablePort('127.0.0.1', port, 'ALMANAC_PORT')).rejects.toThrow(StartError)
  await new Promise((resolve) => other.close(resolve))
  expect(await claimablePort('127.0.0.1', port, 'ALMANAC_PORT')).toBe(port)
  await expect(claimablePort('192.0.2.1', 0, 'ALMANAC_PORT')).rejects.toThrow(/not an address of this machine/)
})
