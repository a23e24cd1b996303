import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { distance, readKind, type VideoKind, videoKinds } from '../../_util/files/video-kinds.ts'
import { part } from '../../_util/run/whole.ts'

/** What the browser that uploads draws of sixty kinds of videos: a poster of what it plays, and nothing of the rest. */

const browser = testBrowser()
/** Of 255. A browser plays to a moment, and shows the frame beside it too. */
const NEAR = 40
/** Of HDR it shows the colors of its own screen. */
const nearOf = (file: string) => (/hdr|hlg/.test(file) ? 2 * NEAR : NEAR)

/** It has no key frame there, so the server's is of another second. */
const OTHER_FRAMES = ['h264-one-key-frame.mp4']

/** Types that a browser says it plays; what it says nothing of, it does not. */
const TYPES: Record<NonNullable<VideoKind['browser']>, string> = {
  h264: 'video/mp4; codecs="avc1.42E01E"',
  hevc: 'video/mp4; codecs="hvc1.1.6.L93.B0"',
  vp8: 'video/webm; codecs="vp8"',
  vp9: 'video/webm; codecs="vp9"',
  av1: 'video/mp4; codecs="av01.0.00M.08"',
}

/** A page with what uploads draw by. */
async function openDrawing(): Promise<Page> {
  const page = await browser.newPage()
  await page.route('https://drawing.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Drawing</p>' }),
  )
  await page.goto('https://drawing.test/')
  const source = await readFile(new URL('../../../web/src/uploads/draw-frame.ts', import.meta.url), 'utf8')
  await page.addScriptTag({
    content: `${stripTypeScriptTypes(source).replaceAll(/^export /gm, '')}\nwindow.drawFrame = drawFrame`,
  })
  return page
}

/** The picture that the page draws of a file; null of none. */
async function drawn(page: Page, kind: VideoKind): Promise<Buffer | null> {
  const bytes = (await readKind(kind)).toString('base64')
  const picture = await page.evaluate<string | null>(`(async () => {
    const bytes = Uint8Array.fromBase64(${JSON.stringify(bytes)})
    const picture = await window.drawFrame(new Blob([bytes]), AbortSignal.timeout(10_000))
    return picture && new Uint8Array(await picture.arrayBuffer()).toBase64()
  })()`)
  return picture === null ? null : Buffer.from(picture, 'base64')
}

test('what the browser plays has a poster, upright; of the rest there is a tile', { timeout: 300_000 }, async () => {
  // Of an empty file.
  browser.allowProblem(/^GET blob:.*ERR_REQUEST_RANGE_NOT_SATISFIABLE$/)
  const page = await openDrawing()
  const plays = await page.evaluate<Record<string, boolean>>(
    `Object.fromEntries(Object.entries(${JSON.stringify(TYPES)}).map(([codec, type]) => [codec, document.createElement('video').canPlayType(type) !== '']))`,
  )
  expect(plays).toMatchObject({ vp8: true, vp9: true })
  const tiles: string[] = []
  for (const kind of part(videoKinds, 16)) {
    const { file, browser: codec, frames } = kind
    const picture = await drawn(page, kind)
    if (picture === null) tiles.push(file)
    else if (frames && !OTHER_FRAMES.includes(file))
      expect(await distance(picture, frames.poster), file).toBeLessThan(nearOf(file))
    const must = codec === 'vp8' || codec === 'vp9' || (codec === 'h264' && plays.h264 === true)
    if (must) expect(picture, file).not.toBeNull()
    if (codec !== null && !plays[codec]) expect(picture, file).toBeNull()
  }
  // Without the server's decoder these are tiles.
  process.stderr.write(`Tiles in this browser: ${tiles.join(', ') || 'none'}\n`)
})

/** A machine with much to do says that it has found a frame well before it shows it: here at once. */
const FOUND_AT_ONCE = `{
  const add = HTMLVideoElement.prototype.addEventListener
  HTMLVideoElement.prototype.addEventListener = function (type, ...more) {
    add.call(this, type === 'seeked' ? 'seeking' : type, ...more)
  }
}`

test('a frame is drawn when it is shown, not when it was found: of 4K and 5K it comes late', {
  timeout: 120_000,
}, async () => {
  const page = await openDrawing()
  await page.evaluate(FOUND_AT_ONCE)
  for (const kind of videoKinds.filter(({ file }) => /^h264-(4k|5k|main)\.mp4$/.test(file))) {
    const picture = await drawn(page, kind)
    if (!picture || !kind.frames) throw new Error(`${kind.file} has no poster.`)
    expect(await distance(picture, kind.frames.poster), kind.file).toBeLessThan(NEAR)
  }
})
