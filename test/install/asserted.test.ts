import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAnswers, recorder } from '../_util/asserted/record-answers.ts'
import { outcome } from './clone.ts'

let folder: string
let server: FastifyInstance
let title: string[]
let stopRecording: () => void
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-asserted-'))
  stopRecording = recordAnswers(folder, () => ({ file: 'test/bread.test.ts', title }))
  server = fastify()
  server.get('/v1/breads/:id', () => ({ name: 'rye' }))
  server.post('/internal/breads', (_, reply) => reply.code(409).send({ code: 'bread:known' }))
  server.get('/docs', () => 'about bread')
  const passed = recorder(folder, 'tests')
  const ask = async (name: string, ...requests: ['GET' | 'POST', string][]) => {
    title = ['bread', name]
    for (const [method, url] of requests) await server.inject({ method, url })
    passed(['test/bread.test.ts', title])
  }
  await ask('bread-01: is read', ['GET', '/v1/breads/1'], ['GET', '/v1/breads/2'], ['GET', '/docs'])
  await ask('bread-01, bread-02: is not made twice', ['POST', '/internal/breads'], ['POST', '/v1/breads?x=1'])
  await ask('bread-03: asks nothing')
})
afterAll(async () => {
  stopRecording()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const asserted = (...args: string[]) => outcome(spawn(process.execPath, ['scripts/asserted.mjs', ...args]))

async function kept(name: string, lines: string[]): Promise<string> {
  const file = join(folder, name)
  await writeFile(
    file,
    lines.map((line) => `${line}\n`),
  )
  return file
}

test('a run is listed by rule and answer, and what another lacks is named', async () => {
  const { stdout } = await asserted('list', folder)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split('\t').slice(0, 4).join(' '))).toEqual([
    '- GET /v1/breads/:id 200 -',
    '- POST /internal/breads 409 bread:known',
    '- POST /v1/breads (no route) 404 -',
    'bread-01 GET /v1/breads/:id 200 -',
    'bread-01 POST /internal/breads 409 bread:known',
    'bread-01 POST /v1/breads (no route) 404 -',
    'bread-02 POST /internal/breads 409 bread:known',
    'bread-02 POST /v1/breads (no route) 404 -',
    'bread-03 - - -',
  ])
  const before = await kept('before.txt', lines)
  expect((await asserted('compare', before, before)).code).toBe(0)

  const without = await kept(
    'after.txt',
    lines.filter((line) => !/bread-03|409/.test(line)),
  )
  const compared = await asserted('compare', before, without)
  expect(compared.code).toBe(1)
  expect(compared.stdout).toContain('NO TEST GETS POST /internal/breads\t409\tbread:known\n')
  expect(compared.stdout).toContain('NO TEST PROVES bread-03\n')
  expect(compared.stdout).toContain('1 answers and 1 rules are lost.\n')

  // The rule is still proven and the answer still given, to another test than before.
  const moved = await kept(
    'moved.txt',
    lines.filter((line) => !/bread-02.*409/.test(line)),
  )
  const again = await asserted('compare', before, moved)
  expect(again.code).toBe(0)
  expect(again.stdout).toContain('1 times')
})

test('nothing to compare with is no agreement', async () => {
  const empty = await kept('empty.txt', [])
  expect((await asserted('compare', empty, empty)).code).toBe(1)
})
