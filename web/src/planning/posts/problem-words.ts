import { t } from '@lingui/core/macro'
import type { ProblemEntry } from '#contract'
import { wordsOfProblem } from '../../language/server-words.ts'
import { bytesText } from '../files/bytes-text.ts'
import { lengthText } from '../files/length-text.ts'
import { withValueNames } from './field-words.ts'

type Problem = Pick<ProblemEntry, 'code' | 'message' | 'limit' | 'actual'>

/** "too tall: 4:5 at most": what was measured of a file and how much of it there may be; null of any other problem. */
export function measuredWords({ code, limit, actual }: Problem): string | null {
  // Measured by the other files of the post.
  if (code === 'post:media_dimensions' && limit === undefined) return t`the pictures differ in size`
  if (limit === undefined || actual === undefined) return null
  const over = actual > limit
  switch (code) {
    case 'post:media_ratio': {
      const most = ratioName(limit)
      return over ? t`too wide: ${most} at most` : t`too tall: ${most} at most`
    }
    case 'post:media_size': {
      const size = bytesText(limit)
      return over ? t`the file is too large: ${size} at most` : t`the file is too small: ${size} at least`
    }
    case 'post:media_duration': {
      const length = lengthText(limit * 1_000)
      return over ? t`the video is too long: ${length} at most` : t`the video is too short: ${length} at least`
    }
    case 'post:media_dimensions':
      return over ? t`too large: ${limit} pixels at most` : t`too small: ${limit} pixels at least`
    default:
      return null
  }
}

/** What is wrong with a post, a file or a field, as a sentence beside it: without the numbers and names of the API. */
export function problemWords(problem: Problem & Parameters<typeof wordsOfProblem>[0]): string {
  const measured = measuredWords(problem)
  if (measured === null) return withValueNames(wordsOfProblem(problem))
  return `${measured.charAt(0).toUpperCase()}${measured.slice(1)}.`
}

/** "4:5" of 0.8, width by height; of what is no ratio of small numbers "1.91:1". */
function ratioName(value: number): string {
  for (let height = 1; height <= 20; height++) {
    const width = Math.round(value * height)
    if (width > 0 && Math.abs(width / height - value) < 0.000_5) return `${width}:${height}`
  }
  return value >= 1 ? `${Number(value.toFixed(2))}:1` : `1:${Number((1 / value).toFixed(2))}`
}
