import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { isReachable, onReachable } from '../api/reachable.ts'
import { useMay } from '../api/session.ts'
import { type Draft, readDraft } from './draft.ts'

const PAUSE_MS = 800
/** Who types without a pause is kept up with this often. */
const AT_LEAST_EVERY_MS = 5_000
/** A server that answers again and keeps nothing is asked this often. */
const AGAIN_MS = 15_000
/** The server takes no larger one: this browser alone keeps it. */
const MOST_BYTES = 262_144

interface Subject {
  id: string
  socialSetId: string
  postSetId: string | null
  version: number | null
}

export interface Stored {
  /** When the server kept it last; null before. ISO 8601. */
  at: string | null
  /** The server does not answer: this browser alone keeps it. */
  failing: boolean
  /** What was written elsewhere and waits to be asked for. */
  offered: Draft | null
  forget: () => void
  /** What was forgotten is written again. */
  remember: () => void
}

/**
 * Keeps what is written on the server, a moment after the last key and every few seconds of typing, for the member's other
 * browsers.
 *
 * @param known this browser keeps it too: nothing is looked for
 */
export function useStoredDraft(subject: Subject, draft: Draft, changed: boolean, known: boolean): Stored {
  const { id, socialSetId, postSetId, version } = subject
  const may = useMay('post-sets:write')
  const [at, setAt] = useState<string | null>(null)
  const [failing, setFailing] = useState(false)
  const [offered, setOffered] = useState<{ id: string; draft: Draft } | null>(null)
  const sequence = useRef(0)
  /** Requests go one after the other. */
  const line = useRef<Promise<unknown>>(Promise.resolve())
  /** What was forgotten comes to the server no more, until it is changed. */
  const forgotten = useRef<string | null>(null)
  const sent = useRef(false)
  /** When the first change came that is on no way to the server yet. */
  const since = useRef<number | null>(null)
  /** Stores what came to no server. */
  const unstored = useRef<(() => Promise<void>) | null>(null)

  useEffect(() => {
    if (!may || known) return
    let left = false
    void findStored(socialSetId, postSetId).then((found) => {
      if (!left) setOffered(found)
    })
    return () => {
      left = true
    }
  }, [may, known, socialSetId, postSetId])

  const text = JSON.stringify(draft)
  useEffect(() => {
    if (!may || !changed) {
      since.current = null
      unstored.current = null
      return
    }
    const store = async () => {
      if (text === forgotten.current) return
      forgotten.current = null
      sent.current = true
      sequence.current = Math.max(sequence.current + 1, Date.now())
      const content = JSON.parse(text) as Draft
      const excerpt = [...content.caption.trim()].slice(0, 200).join('')
      const body = { socialSetId, postSetId, basedOnVersion: version, excerpt, content: { draft: content } }
      if (new Blob([JSON.stringify(body.content)]).size > MOST_BYTES) {
        unstored.current = null
        return setFailing(true)
      }
      try {
        const answer = await call('PUT /kept-drafts/:id', {
          params: { id },
          body: { ...body, sequence: sequence.current },
        })
        // Another window was faster: what is written here last is what counts here.
        if (!answer.stored) sequence.current = answer.sequence
        unstored.current = null
        setAt(answer.updatedAt)
        setFailing(false)
        if (!answer.stored) await store()
      } catch (error) {
        setFailing(true)
        // What the server refuses for good stays in this browser; what was forgotten meanwhile is not wanted any more.
        const again = error instanceof ApiError && (error.status === 0 || error.status >= 500)
        unstored.current = again && forgotten.current === null ? store : null
      }
    }
    since.current ??= performance.now()
    const left = since.current + AT_LEAST_EVERY_MS - performance.now()
    const timer = window.setTimeout(
      () => {
        since.current = null
        line.current = line.current.then(store)
      },
      Math.max(0, Math.min(PAUSE_MS, left)),
    )
    return () => window.clearTimeout(timer)
  }, [may, changed, text, id, socialSetId, postSetId, version])

  useEffect(() => {
    if (!failing) return
    const again = () => {
      if (isReachable()) line.current = line.current.then(() => unstored.current?.())
    }
    const timer = window.setInterval(again, AGAIN_MS)
    const stop = onReachable(again)
    return () => {
      window.clearInterval(timer)
      stop()
    }
  }, [failing])

  const forget = () => {
    forgotten.current = text
    unstored.current = null
    const others = offered && offered.id !== id ? [offered.id] : []
    const last = sequence.current
    line.current = line.current.then(async () => {
      // What this browser kept may have come to the server before, under the same name.
      const mine = sent.current || (known && (await isStored(socialSetId, id))) ? [id] : []
      sent.current = false
      const gone = [...mine, ...others].map((each) =>
        call('DELETE /kept-drafts/:id', { params: { id: each }, query: each === id ? { sequence: last } : {} }),
      )
      // Nothing was kept, or the server is away: then it is offered again.
      await Promise.allSettled(gone)
      await queryClient.invalidateQueries({ queryKey: queryKeys.keptDrafts.all })
    })
    setOffered(null)
    setAt(null)
  }
  const remember = () => {
    forgotten.current = null
  }
  return { at, failing, offered: offered?.draft ?? null, forget, remember }
}

/** What the member kept of a post, or the newest text of a new one; null of none. */
async function findStored(socialSetId: string, postSetId: string | null): Promise<{ id: string; draft: Draft } | null> {
  try {
    const { data } = await call('GET /kept-drafts', { query: { socialSetId } })
    const id = data.find((kept) => kept.postSetId === postSetId)?.id
    if (id === undefined) return null
    const { content } = await call('GET /kept-drafts/:id', { params: { id } })
    const draft = readDraft(content.draft)
    return draft && { id, draft }
  } catch {
    // None that can be read now: nothing is offered.
    return null
  }
}

async function isStored(socialSetId: string, id: string): Promise<boolean> {
  try {
    const { data } = await call('GET /kept-drafts', { query: { socialSetId } })
    return data.some((kept) => kept.id === id)
  } catch {
    return false
  }
}
