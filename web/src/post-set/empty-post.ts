import { t } from '@lingui/core/macro'
import type { ProblemEntry } from '#contract'
import { isBlank } from './draft-shape.ts'

/** Only the composer says this: each network says it for itself. */
const CODE = 'composer:empty'
const MISSING = ['post:caption_required', 'post:media_required']

/** The problems of posts that have neither text nor files: what several networks miss for that is one. */
export function emptyAsOne(
  problems: readonly ProblemEntry[],
  posts: readonly { caption: string; media: readonly unknown[] }[],
): readonly ProblemEntry[] {
  const missing = problems.filter(({ code }) => MISSING.includes(code))
  if (!posts.every(isBlank) || missing.length < 2) return problems
  const message = missing.some(({ code }) => code === 'post:media_required')
    ? t`The post is empty. Write a caption and add a picture or video.`
    : t`The post is empty. Write a caption, or add a picture or video.`
  return [{ code: CODE, path: '', pointer: '#', message }, ...problems.filter((problem) => !missing.includes(problem))]
}
