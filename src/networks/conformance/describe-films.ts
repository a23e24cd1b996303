import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/files/video-boxes.ts'
import { deliver } from './deliver.ts'
import type { Trouble } from './delivery.ts'
import type { Sending } from './describe-reads.ts'
import type { ConformanceHarness, Sample, SampleMedia } from './harness.ts'

/** What every network does with the bytes of a video, whether it takes them or fetches them. */
export function describeFilms({ samples }: ConformanceHarness, { world, ...sending }: Sending): void {
  /** A fixture to which a place can be added. */
  const isFilm = ({ file }: SampleMedia) => /^[\w-]+\.mp4$/.test(file)
  const fixture = samples.find(({ media }) => media?.some(isFilm))
  if (!fixture) return
  test('a film goes out as a fresh MP4 without the place where it was taken', async () => {
    const { file = '' } = fixture.media?.find(isFilm) ?? {}
    const film = await writePhoneFilm(file)
    const media = fixture.media?.map((item) => (isFilm(item) ? { ...item, file: film.path } : item)) ?? []
    const bodies: Buffer[] = []
    const { served } = world().media
    served.clear()
    await sending.forgetPosts()
    const { post } = await deliver(world(), sending.numbered({ ...fixture, media }), {
      async intercept({ request, send }) {
        if (!request.body) return send()
        const bytes = request.body instanceof Uint8Array ? Buffer.from(request.body) : await buffer(request.body)
        bodies.push(bytes)
        return world().http({ ...request, body: request.body instanceof Uint8Array ? bytes : Readable.from([bytes]) })
      },
    })
    await film.remove()
    expect(post.kind).toBe('made')
    expect(await sending.newPosts()).toHaveLength(1)
    const sent = Buffer.concat([...bodies, ...(await served.files())])
    expect([sent.includes('ftypisom'), sent.includes(PLACE)]).toEqual([true, false])
  })
}

/** Counts the bytes that go out for a film, run by run of the same post, of which the last one is not interrupted. */
export function measureUpload({ media = [] }: Sample) {
  let pieces: number[] = []
  let most = 0
  return {
    nextRun(): NonNullable<Trouble['intercept']> {
      pieces = []
      return ({ request: { body, headers }, send }) => {
        if (body) pieces.push(body instanceof Uint8Array ? body.length : Number(headers?.['content-length'] ?? 0))
        most = Math.max(most, sumOf(pieces))
        return send()
      }
    },
    /** A film of several pieces goes on where it was: nothing is sent again but the piece that was under way. */
    expectResumed() {
      if (media.length !== 1 || pieces.length < 2) return
      expect(most).toBeLessThanOrEqual(sumOf(pieces) + Math.max(...pieces))
    },
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)
