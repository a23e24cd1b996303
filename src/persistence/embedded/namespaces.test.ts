import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { holdEmbeddedDatabase } from '../../../test/_util/embedded-holder.ts'
import { canRunElsewhere, ELSEWHERE } from '../../../test/_util/namespaces.ts'
import { openEmbeddedDatabase } from './index.ts'

/** Two processes that see nothing of each other but the files, as two containers on one volume. */

const projectDir = join(import.meta.dirname, '..', '..', '..')
const elsewhere = test.runIf(canRunElsewhere())

let workDir: string
const left: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-namespaces-'))
  await chmod(workDir, 0o711)
})
afterEach(async () => {
  for (const close of left.splice(0).reverse()) await close()
})
afterAll(() => rm(workDir, { recursive: true }))

async function open(dataDir: string, mode: 'own' | 'join' = 'own') {
  const database = await openEmbeddedDatabase({ dataDir, projectDir, log: () => {}, mode })
  left.push(() => database.stop())
  return database
}

async function holdElsewhere(dataDir: string, mode: 'own' | 'join') {
  const holder = holdEmbeddedDatabase(dataDir, mode, { within: ELSEWHERE })
  left.push(holder.release)
  return { ...holder, ...(await holder.reported) }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const note = (dataDir: string) => readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')

elsewhere('a command in another container joins the server that runs, and starts none', async () => {
  const dataDir = join(workDir, 'joined')
  const owner = await open(dataDir)
  const before = await note(dataDir)
  const command = await holdElsewhere(dataDir, 'join')
  expect(command).toMatchObject({ adopted: true })
  await command.release()
  expect(await note(dataDir)).toBe(before)
  expect(owner.healthy()).toBe(true)
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})
