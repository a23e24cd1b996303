import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { QUANTUM } from './session.ts'

const fixtures = join(import.meta.dirname, '../../../test/_fixtures')

/**
 * A video of more than three quanta, for tests: a small one with a box behind it that players skip
 * (ISO/IEC 14496-12, `free`).
 *
 * @returns `file` as samples name it, from the folder of fixtures
 */
export async function makeLongFile(): Promise<{ file: string; bytes: number; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-youtube-'))
  const video = await readFile(join(fixtures, 'video-short.mp4'))
  const box = Buffer.alloc(3 * QUANTUM + 1000)
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4, 'latin1')
  const path = join(dir, 'long.mp4')
  await writeFile(path, Buffer.concat([video, box]))
  return {
    file: relative(fixtures, path),
    bytes: video.length + box.length,
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
