import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('files that hang leave threads for names of hosts and other files', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-hanging-'))
  const key = 'ab'.padEnd(32, '0')
  await mkdir(join(dir, 'objects/ab'), { recursive: true })
  const path = join(dir, 'objects/ab', key)
  // A pipe that is written to by no one: it opens, and each read of it hangs.
  await promisify(execFile)('mkfifo', [path])
  const writer = await open(path, constants.O_RDWR)
  const program = join(import.meta.dirname, '../../test/_util/faults/hanging-files.ts')
  const child = spawn(process.execPath, [program, dir, key], { stdio: ['ignore', 'pipe', 'inherit'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), 8_000)
  try {
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(said).toBe('answers')
  } finally {
    clearTimeout(timer)
    await writer.close()
    await rm(dir, { recursive: true })
  }
}, 15_000)
