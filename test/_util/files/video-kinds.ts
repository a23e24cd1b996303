import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** A picture as ffmpeg shows it, upright. Colors are red, green, blue. */
interface SeenFrame {
  width: number
  height: number
  mean: number[]
  /** Top left, top right, bottom left, bottom right. */
  quarters: number[][]
}

/** A video of `test/_fixtures/videos`, and what comes of it. */
export interface VideoKind {
  file: string
  server: 'poster' | 'tile'
  /** False: nothing of it is given to the decoder. */
  cut: boolean
  /** The codec with which a browser draws it; null: nothing is promised. */
  browser: 'h264' | 'hevc' | 'vp8' | 'vp9' | 'av1' | null
  /** Of its poster, and of its second 1.3; null of a broken one. */
  frames: { poster: SeenFrame; cover: SeenFrame } | null
}

const folder = new URL('../../_fixtures/videos/', import.meta.url)

export const videoKinds: readonly VideoKind[] = JSON.parse(await readFile(new URL('kinds.json', folder), 'utf8'))
export const readKind = ({ file }: Pick<VideoKind, 'file'>) => readFile(new URL(file, folder))

/** How far a picture is from a frame, in steps of 255: its mean color and those of its quarters. Another shape is as far as it gets. */
export async function distance(picture: Uint8Array, frame: SeenFrame): Promise<number> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  if (Math.abs(width / height - frame.width / frame.height) > 0.05 * (frame.width / frame.height)) return 255
  const mean = (x0: number, y0: number, x1: number, y1: number) =>
    [0, 1, 2].map((channel) => {
      let sum = 0
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) sum += data[(y * width + x) * 3 + channel] ?? 0
      return sum / ((x1 - x0) * (y1 - y0))
    })
  const [midX, midY] = [width >> 1, height >> 1]
  const seen = [
    mean(0, 0, width, height),
    mean(0, 0, midX, midY),
    mean(midX, 0, width, midY),
    mean(0, midY, midX, height),
    mean(midX, midY, width, height),
  ]
  const known = [frame.mean, ...frame.quarters]
  const away = (color: number[], at: number) =>
    color.map((value, channel) => Math.abs(value - (known[at]?.[channel] ?? 0)))
  return Math.max(...seen.flatMap(away))
}
