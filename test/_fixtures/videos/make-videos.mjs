import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { kinds } from './kinds.mjs'

/**
 * Writes the videos of this folder, and `kinds.json`: what is expected of each, and what ffmpeg sees of it, upright. Made with ffmpeg 5.1 (Debian 12); no test runs
 * it. Each has a key frame every half second, and another color in each frame, so that another frame is told from the right one; the white
 * box in one corner tells how it is turned.
 */
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const QUIET = ['-hide_banner', '-loglevel', 'error', '-y']
const PLAIN = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact']
const ffmpeg = (...args) => execFileSync('ffmpeg', [...QUIET, ...args], { maxBuffer: 1 << 30 })

const source = ({ size = '320x180', rate = 10, seconds = 1.6, sar = 1 }) => [
  ...['-f', 'lavfi', '-i'],
  [
    `color=c=0xC05020:s=${size}:r=${rate}:d=${seconds}`,
    'format=yuv444p',
    'hue=h=90*t',
    'drawbox=x=iw/10:y=ih/10:w=iw*3/10:h=ih*3/10:color=white:t=fill',
    `setsar=${sar}`,
  ].join(','),
]
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=1.6']

for (const name of readdirSync(here('.'))) if (!/\.(mjs|json|md)$/.test(name)) rmSync(here(name))
const made = []
for (const [file, kind] of Object.entries(kinds)) {
  const { video, shape = {}, sound = null, mux = [], again = null, from = null, bytes = null } = kind
  if (from === null && video) {
    const temporary = again === null ? here(file) : here(`raw-${file}`)
    const sounds = sound === null ? [] : SOUND
    ffmpeg(...source(shape), ...sounds, ...video, ...(sound ?? []), ...mux, ...PLAIN, temporary)
    // How it is turned is written in a second step, as phones do: the packets stay as they are.
    if (again !== null) ffmpeg('-i', temporary, '-c', 'copy', ...again, '-fflags', '+bitexact', here(file))
  } else if (from !== null) {
    const original = readFileSync(here(from))
    writeFileSync(here(file), bytes(original))
  } else writeFileSync(here(file), bytes())
  for (const name of readdirSync(here('.'))) if (name.startsWith('raw-')) rmSync(here(name))
  const { server, browser, cut = true, key = 1, cover = 1.3 } = kind
  const frames = video ? { poster: seen(file, key), cover: seen(file, cover) } : null
  made.push({ file, server, cut, browser, frames })
}
writeFileSync(here('kinds.json'), `[\n${made.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]\n`)

/** Size and mean color of the frame of a moment, and of its quarters (top left, top right, bottom left, bottom right). */
function seen(file, seconds) {
  const raw = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const [width, height] = sizeOf(file)
  const data = ffmpeg('-i', here(file), '-ss', String(seconds), ...raw)
  const mean = (x0, y0, x1, y1) => {
    const sum = [0, 0, 0]
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) for (let c = 0; c < 3; c++) sum[c] += data[(y * width + x) * 3 + c]
    return sum.map((each) => Math.round(each / ((x1 - x0) * (y1 - y0))))
  }
  const [midX, midY] = [width >> 1, height >> 1]
  return {
    width,
    height,
    mean: mean(0, 0, width, height),
    quarters: [
      mean(0, 0, midX, midY),
      mean(midX, 0, width, midY),
      mean(0, midY, midX, height),
      mean(midX, midY, width, height),
    ],
  }
}

/** Of the picture as ffmpeg shows it, upright. */
function sizeOf(file) {
  const ppm = ffmpeg('-i', here(file), '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'ppm', 'pipe:1')
  const [, width, height] = /^P6\s+(\d+)\s+(\d+)/.exec(ppm.subarray(0, 64).toString('latin1'))
  return [Number(width), Number(height)]
}
