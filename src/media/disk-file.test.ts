import type { FileHandle } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { SilentDiskError } from './disk.ts'
import { closeFile } from './disk-file.ts'
import { createPatience } from './patience.ts'

test('a file whose turn to be closed does not come, as the disk falls silent, is closed all the same', async () => {
  const disk = createPatience({ limitMs: 20, writeLimitMs: 20, poolSize: 4 })
  const hangs = Promise.withResolvers<void>()
  const closed: string[] = []
  const file = { close: async () => void closed.push('closed') } as Pick<FileHandle, 'close'> as FileHandle
  const written = disk.ask(() => hangs.promise, { writes: true })
  const closing = closeFile(disk, file)
  await expect(written).rejects.toThrow(SilentDiskError)
  await expect(closing).rejects.toThrow(SilentDiskError)
  expect(closed).toEqual(['closed'])
  hangs.resolve()
})
