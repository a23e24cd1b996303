import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { LIMITS } from '#contract'
import { serveParent } from '#processes'
import { type FeedTask, feedEvents } from './feed-events.ts'
import { writeCalendar } from './write-calendar.ts'

/** Runs only as a process of `feed-writer.ts`, which sends what is on a calendar and takes its text. */

export interface WrittenFeed {
  etag: string
  /** Of the text. */
  bytes: number
  /** iCalendar in UTF-8, compressed by gzip. */
  body: Uint8Array
}

export type FromFeedProgram = { kind: 'written'; feed: WrittenFeed } | { kind: 'broken'; message: string }

if (process.send) {
  serveParent()
  process.on('message', (task: FeedTask) => void process.send?.(answerOf(task)))
}

function answerOf(task: FeedTask): FromFeedProgram {
  try {
    return { kind: 'written', feed: written(task) }
  } catch (error) {
    return { kind: 'broken', message: (error as Error).message }
  }
}

function written(task: FeedTask): WrittenFeed {
  const { everyMinutes } = LIMITS.calendarFeeds
  const text = Buffer.from(writeCalendar({ name: task.name, events: feedEvents(task), everyMinutes }))
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  // The fastest: what is kept is read more seldom than it is written.
  return { etag, bytes: text.length, body: gzipSync(text, { level: 1 }) }
}
