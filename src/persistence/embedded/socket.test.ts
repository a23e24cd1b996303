import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Home } from './home.ts'
import { askForLife, makeLife, removeSockets } from './socket.ts'
import { openSocketFolder } from './socket-folder.ts'

let workDir: string
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-socket-'))
})
afterAll(() => rm(workDir, { recursive: true }))

async function homeIn(folder: string) {
  await mkdir(folder, { recursive: true })
  const { path: sockets, close } = openSocketFolder(folder)
  const home: Home = { folder, clusterDir: join(folder, 'cluster'), sockets, shared: false, user: undefined }
  return { home, [Symbol.dispose]: close }
}

/** A process that inherits the socket, and another one that it starts and that outlives it. */
async function inherit(home: Home) {
  const life = await makeLife(home)
  if (!life) throw new Error('This folder takes no sockets.')
  const script = 'sleep 9999 & echo $!; wait'
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', life.fd] })
  const late = new Promise<number>((resolve) => child.stdout?.once('data', (text: Buffer) => resolve(Number(text))))
  await life.close()
  return { child, late: await late, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

test.for([
  ['a short path', 'short'],
  ['a path that is too long for a socket', join(...Array.from({ length: 12 }, () => 'a-long-name-of-a-folder'))],
])('a server lives as long as one of its processes does: %s', async ([, name = '']) => {
  using place = await homeIn(join(workDir, name))
  const { home } = place
  expect(await askForLife(home)).toBe('absent')
  const { child, late, ended } = await inherit(home)
  expect(await askForLife(home)).toBe('live')
  child.kill('SIGKILL')
  await ended
  expect(await askForLife(home)).toBe('live')
  process.kill(late, 'SIGKILL')
  await expect.poll(() => askForLife(home), { interval: 5 }).toBe('dead')
  // The next one takes its place.
  const next = await inherit(home)
  expect(await askForLife(home)).toBe('live')
  for (const pid of [next.child.pid ?? 0, next.late]) process.kill(pid, 'SIGKILL')
  await expect.poll(() => askForLife(home), { interval: 5 }).toBe('dead')
  await removeSockets(home)
  expect(await readdir(home.folder)).toEqual([])
})

test('it may be asked any number of times', async () => {
  using place = await homeIn(join(workDir, 'often'))
  const { child, late } = await inherit(place.home)
  for (let asked = 0; asked < 1_000; asked += 1) expect(await askForLife(place.home)).toBe('live')
  for (const pid of [child.pid ?? 0, late]) process.kill(pid, 'SIGKILL')
})

test("PostgreSQL's own socket, whatever its port, is asked as well", async () => {
  using place = await homeIn(join(workDir, 'own'))
  const { home } = place
  const server = createServer((socket) => socket.destroy()).listen(join(home.folder, '.s.PGSQL.20001'))
  await new Promise((resolve) => server.once('listening', resolve))
  expect(await askForLife(home)).toBe('live')
  await new Promise((resolve) => server.close(resolve))
  expect(await askForLife(home)).toBe('absent')
})
