import { plural, t } from '@lingui/core/macro'
import type { LibraryFile, MediaLibraryItem, MediaShape, MediaShown, MediaSort } from '#contract'
import { bytesText } from '../planning/files/bytes-text.ts'
import { lengthText } from '../planning/files/length-text.ts'
import { kindsText } from '../planning/posts/kind-words.ts'

/** What a screen reader says of a file: its name, what it is, and how large. */
export function fileWords(file: Pick<MediaLibraryItem, 'name' | 'type' | 'width' | 'height' | 'pages'>) {
  const { name, type, width, height } = file
  if (type === 'DOCUMENT') return `${name}, ${pagesText(file)}`
  return type === 'VIDEO' ? t`${name}, video, ${width} by ${height}` : t`${name}, picture, ${width} by ${height}`
}

/** "PDF, 12 pages". */
export function pagesText({ pages = 0 }: { pages?: number | undefined }): string {
  return plural(pages, { one: 'PDF, # page', other: 'PDF, # pages' })
}

/** "Reel, Story": kinds of posts whose screen a file fills; null where it fills none. */
export function fillsWords({ fills }: Pick<LibraryFile, 'fills'>): string | null {
  const kinds = kindsText(fills)
  return kinds === null ? null : t`OK for ${kinds}`
}

export function usedWords({ usedIn }: Pick<LibraryFile, 'usedIn'>): string {
  return usedIn === 0 ? t`Unused` : plural(usedIn, { one: 'In # post', other: 'In # posts' })
}

/** Common shapes have a name; others are written as width by height. */
const RATIOS: readonly [name: string, value: number][] = [
  ['1:1', 1],
  ['4:5', 4 / 5],
  ['3:4', 3 / 4],
  ['2:3', 2 / 3],
  ['9:16', 9 / 16],
  ['16:9', 16 / 9],
  ['3:2', 3 / 2],
  ['4:3', 4 / 3],
  ['1.91:1', 1.91],
]

/** "4:5", or "1.37:1" where no name is near. */
export function ratioText({ width, height }: { width: number; height: number }): string {
  const ratio = width / Math.max(1, height)
  const near = RATIOS.find(([, value]) => Math.abs(value - ratio) / value < 0.015)
  if (near) return near[0]
  return ratio >= 1 ? `${ratio.toFixed(2)}:1` : `1:${(1 / ratio).toFixed(2)}`
}

/** "Video · 1080 × 1920 · 9:16 · 0:12 · 4.1 MB". */
export function factsText(file: MediaLibraryItem): string {
  const { type, width, height, durationMs, bytes } = file
  if (type === 'DOCUMENT') return [pagesText(file), bytesText(bytes)].join(' · ')
  const kind = type === 'VIDEO' ? t`Video` : t`Picture`
  const length = durationMs === null ? [] : [lengthText(durationMs)]
  return [kind, `${width} × ${height}`, ratioText({ width, height }), ...length, bytesText(bytes)].join(' · ')
}

export function shapeWords(shape: MediaShape): string {
  switch (shape) {
    case 'SQUARE':
      return t`Square`
    case 'PORTRAIT':
      return t`Portrait`
    case 'VERTICAL':
      return t`Vertical, for stories and reels`
    case 'LANDSCAPE':
      return t`Landscape`
  }
}

export function shownWords(shown: MediaShown): string {
  switch (shown) {
    case 'USED':
      return t`Used`
    case 'UNUSED':
      return t`Unused`
    case 'NO_ALT_TEXT':
      return t`Without alt text`
    case 'DELETED':
      return t`Deleted in the last 30 days`
  }
}

export function sortWords(sort: MediaSort): string {
  switch (sort) {
    case 'NEWEST':
      return t`Newest first`
    case 'OLDEST':
      return t`Oldest first`
    case 'NAME':
      return t`By name`
    case 'LARGEST':
      return t`Largest first`
  }
}
