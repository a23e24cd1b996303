import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENDPOINTS, type EndpointTable } from '#contract'
import { clientTypes } from '../../scripts/make-client-types.ts'
import { everyCall } from './every-call.ts'

const FILE = join(import.meta.dirname, '../../clients/typescript/src/types.ts')

test('the types of the client are those of the contract (-u writes them again)', async () => {
  await expect(clientTypes()).toMatchFileSnapshot(FILE)
})

test('values that the service answers may become more, those that clients send are all that there are', () => {
  const text = clientTypes()
  const fieldOf = (type: string, name: string) =>
    new RegExp(`export interface ${type} \\{[\\s\\S]*?^  ${name}\\??: (.*)$`, 'm').exec(text)?.[1]
  expect(fieldOf('PostSet', 'status')).toBe("'DRAFT' | 'SCHEDULED' | 'PUBLISHING' | 'PUBLISHED' | Unknown")
  expect(fieldOf('PostSetCreate', 'status')).toBe("'DRAFT' | 'SCHEDULED'")
  expect(fieldOf('AlmanacEvent', 'type')).toBe('EventType | Unknown')
  expect(fieldOf('Note', 'hexColor')).not.toContain('Unknown')
})

test('every endpoint of the API has a method, and no method asks for anything else', async () => {
  const asked = await everyCall()
  const rows = Object.entries(ENDPOINTS as EndpointTable).flatMap(([name, { api }]) => (api ? [name] : []))
  expect(new Set(asked)).toEqual(new Set(rows))
})
