import { t } from '@lingui/core/macro'
import type { HistoryItem } from '#contract'
import { newsOf } from '../planning/posts/history-words.ts'
import { relativeTime } from '../time/relative.ts'

/** "Anna moved this 2 minutes ago.": who was faster, from the newest entry of the history. */
export function fasterSentence(newest: HistoryItem | undefined, now = Date.now()): string {
  if (!newest) return t`Someone else changed this in the meantime.`
  return newsOf(newest, newest.actor.name, ago(newest.at, now))
}

/** "2 minutes ago", "just now"; also of what a clock that is ahead of this one wrote. */
export function ago(instant: string, now = Date.now()): string {
  return relativeTime(Date.parse(instant) < now ? instant : new Date(now).toISOString(), now)
}
