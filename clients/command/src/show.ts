import type { Post, PostSet, SocialSet } from '../../typescript/src/index.ts'
import { networkOf } from './brands.ts'
import { shownMoment } from './times.ts'

/** A text of the service on one line, without characters that would steer a terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** `2030-06-01 09:00  SCHEDULED  bluesky, x  Fresh bread` */
export function lineOfSet(postSet: PostSet, brand: Pick<SocialSet, 'timezone'>): string {
  const networks = postSet.posts.map(({ accountType }) => networkOf(accountType)).join(', ')
  const approval = postSet.approval === 'NONE' ? '' : ` (${postSet.approval})`
  const caption = plain(postSet.posts[0]?.caption ?? '').slice(0, 60)
  const fields = [shownMoment(postSet.scheduledAt, brand.timezone), `${postSet.status}${approval}`, networks, caption]
  return `${postSet.id}  ${fields.join('  ')}\n`
}

/** `bluesky  POSTED  https://…` */
export function lineOfPost({ accountType, result }: Post): string {
  // In an inbox it is posted, and not public.
  const outcome = result?.delivery ?? result?.status ?? 'waiting'
  const rest = result?.permalink ?? [result?.reason, result?.message].filter(Boolean).join(': ')
  const warnings = (result?.warnings ?? []).map(({ message }) => `\n    ${plain(message)}`)
  const line = `${networkOf(accountType)}  ${outcome}  ${plain(rest)}`
  return `${line.trimEnd()}${warnings.join('')}\n`
}
