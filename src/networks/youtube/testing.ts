import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Step } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpRequest } from '../kit/http.ts'
import { answer, answering, fixture, type Instead, lost, openStage as openAnyStage } from '../kit/testing.ts'
import { QUANTUM } from './api.ts'
import { network } from './index.ts'

/** The simulated network with one channel. For tests alone. */
export const openStage = () => openAnyStage(network, 'YOUTUBE', { base: 'api/youtube/v3' })

/** A post that the network takes. */
export const sample = (more: Partial<Sample> = {}): Sample => ({
  title: 'video',
  accountType: 'YOUTUBE',
  caption: 'How we bake',
  media: [{ file: 'video-h264-aac.mp4' }],
  ...more,
  fields: { title: 'Bread', privacy: 'PUBLIC', ...more.fields },
})

export const apiError = (status: number, reason: string, headers: Record<string, string> = {}, message = 'No.') =>
  answer(status, { error: { code: status, message, errors: [{ domain: 'youtube', reason, message }] } }, headers)

/** The answer to a question for a listing. */
export const listOf = (kind: string, items: readonly unknown[], more: object = {}) =>
  answer(200, { kind: `youtube#${kind}ListResponse`, items, ...more })

/** What a request is: `begin`, `probe`, `piece`, or the last part of its path. */
export function kindOf({ method, url, headers }: HttpRequest): string {
  const range = headers?.['content-range']
  if (range !== undefined) return range.startsWith('bytes *') ? 'probe' : 'piece'
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  return method === 'POST' && last === 'videos' ? 'begin' : last
}

/** Answers requests of a kind in a step with `instead`; `reached`: the network did it all the same. */
export const answers = (
  step: Step | null,
  kind: string,
  instead: Instead,
  more?: { reached?: boolean; times?: number },
) => answering((each) => (step === null || each.step === step) && kindOf(each.request) === kind, instead, more)
export const always = (...[step, kind, instead]: Parameters<typeof answers>) =>
  answers(step, kind, instead, { times: 1_000 })
/** A session that is over, for every request. */
export const gone = (times = 1_000) => answers(null, 'probe', answer(404), { times })
/** The last piece has arrived, and its answer has not. */
export const losesAnswer = () => answers('publish', 'piece', lost, { reached: true })

/** A video of more than three quanta: a small one with a box behind it that players skip (ISO/IEC 14496-12, `free`). */
export async function longFile() {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-youtube-'))
  const file = join(dir, 'long.mp4')
  const box = Buffer.alloc(3 * QUANTUM + 1000)
  box.writeUInt32BE(box.length)
  box.write('free', 4, 'latin1')
  const bytes = Buffer.concat([await fixture('video-short.mp4'), box])
  await writeFile(file, bytes)
  return { file, bytes: bytes.length, remove: () => rm(dir, { recursive: true, force: true }) }
}
