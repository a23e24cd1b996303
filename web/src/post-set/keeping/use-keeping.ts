import { t } from '@lingui/core/macro'
import { type SetStateAction, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import * as LIMITS from '#contract/limits'
import { ApiError, hasCode, isOutage } from '../../api/api-error.ts'
import { readAgain } from '../../api/change.ts'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { isReachable, onReachable } from '../../api/reachable.ts'
import { useSession } from '../../api/session.ts'
import type { Draft } from '../draft-shape.ts'
import { forgetCopy, forgetOthers, stamp, WRITER, writeCopy } from './copies.ts'
import { copyOf, isChanged, isUnkept, type Keeping, type KeepingEvent, keep, mayLook, wants } from './keeping.ts'
import { findRow } from './row.ts'
import { unsavedChanged } from './unsaved.ts'

const PAUSE_MS = 800
/** Who types without a pause is kept up with this often. */
const AT_LEAST_EVERY_MS = 5_000
/** A server that answers again and keeps nothing is asked this often. */
const AGAIN_MS = 15_000

/** What a request says that saves a text. */
export interface SaveOf {
  keptDraft: string
  sequence: number
  seen: number
  writer: string
}

export interface KeptText {
  now: Keeping
  draft: Draft
  setDraft: (change: SetStateAction<Draft>) => void
  changed: boolean
  /** Closing would lose it: neither this browser nor the server keeps it. */
  isUnkept: boolean
  tookOther: () => void
  keptThis: () => void
  wentOn: () => void
  /** Answers what takes that back, also when the composer is closed by then. */
  discard: () => () => Promise<void>
  /** Saves by the request, which ends the text with it. Rethrows what the request throws. */
  saving: <T>(ending: string, request: (of: SaveOf) => Promise<T>) => Promise<T>
}

interface Place {
  /** What the address names. */
  id: string
  socialSetId: string
  /** The text goes on under another id. */
  onId: (id: string) => void
}

/** Runs the state of a text that is being written: README.md. `begin` is asked once. */
export function useKeeping({ id: named, socialSetId, onId }: Place, begin: () => Keeping): KeptText {
  const session = useSession()
  const [now, setNow] = useState(begin)
  const latest = useRef(now)
  const move = useCallback((event: KeepingEvent) => {
    latest.current = keep(latest.current, event)
    setNow(latest.current)
  }, [])
  const { id, postSetId, trouble } = now

  const namedId = useRef(named)
  const nameIt = useEffectEvent(onId)
  useEffect(() => {
    if (id !== namedId.current) nameIt(id)
    namedId.current = id
  }, [id])

  // In this browser, with every letter.
  const copy = copyOf(now)
  const copyText = copy && JSON.stringify(copy)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the copy is the copy
  useLayoutEffect(() => {
    const what = copyOf(latest.current)
    if (what) move({ type: 'copied', works: writeCopy(session, { ...what, socialSetId, postSetId }) })
    // What is asked about is there until it is chosen; saving has its own end.
    else if (!['asked', 'over'].includes(latest.current.phase)) forgetCopy(session, id)
  }, [session, copyText, socialSetId, postSetId, id, move])

  // On the server, a moment later.
  const wanted = wants(now)
  const act = useEffectEvent(async () => {
    const of = latest.current
    const what = wants(of)
    const isStill = () => latest.current.id === of.id
    try {
      if (what === 'read') {
        const found = await findRow(of, socialSetId)
        if (isStill()) move({ type: 'read', found })
      } else if (what === 'store') {
        const content = { draft: of.draft }
        if (new Blob([JSON.stringify(content)]).size > LIMITS.keptDrafts.bytes)
          return move({ type: 'failed', again: false })
        move({ type: 'sent', sequence: of.sequence })
        const excerpt = [...of.draft.caption.trim()].slice(0, 200).join('')
        const { sequence, seen } = of
        const body = {
          socialSetId,
          postSetId,
          basedOnVersion: of.version,
          excerpt,
          content,
          sequence,
          seen,
          writer: WRITER,
        }
        const answer = await call('PUT /kept-drafts/:id', { params: { id: of.id }, body })
        if (isStill()) move({ type: 'stored', answer })
      } else if (what === 'remove') {
        const { sequence, seen } = of
        move({ type: 'sent', sequence })
        await call('DELETE /kept-drafts/:id', {
          params: { id: of.id },
          query: { sequence, seen, writer: WRITER },
        }).catch((error: unknown) => {
          if (!hasCode(error, 'kept-draft:not_found')) throw error
        })
        if (isStill()) move({ type: 'removed' })
        void readAgain('DELETE /kept-drafts/:id')
      }
    } catch (error) {
      if (!isStill()) return
      if (hasCode(error, 'kept-draft:changed')) move({ type: 'changed elsewhere' })
      else move({ type: 'failed', again: what === 'read' || isPassing(error) })
    }
  })
  /** When the first change came that is on no way to the server yet. */
  const since = useRef<number | null>(null)
  const { sequence } = now
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter begins the pause anew
  useEffect(() => {
    if (wanted === null) {
      since.current = null
      return
    }
    since.current ??= performance.now()
    const left = since.current + AT_LEAST_EVERY_MS - performance.now()
    const pause = wanted === 'store' ? Math.max(0, Math.min(PAUSE_MS, left)) : 0
    const timer = window.setTimeout(() => {
      since.current = null
      void act()
    }, pause)
    return () => window.clearTimeout(timer)
  }, [wanted, sequence])

  useEffect(() => {
    if (trouble !== 'again') return
    const again = () => {
      if (isReachable()) move({ type: 'reachable' })
    }
    const timer = window.setInterval(again, AGAIN_MS)
    const stop = onReachable(again)
    return () => {
      window.clearInterval(timer)
      stop()
    }
  }, [trouble, move])

  // What other windows have done is seen when this one is looked at again.
  const look = useEffectEvent(async () => {
    const of = latest.current
    if (document.visibilityState === 'hidden' || !mayLook(of)) return
    const found = await findRow(of, socialSetId).catch(() => null)
    if (found && latest.current.id === of.id) move({ type: 'read', found })
  })
  useEffect(() => {
    const seen = () => void look()
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('focus', seen)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('focus', seen)
    }
  }, [])

  const setDraft = useCallback(
    (change: SetStateAction<Draft>) => {
      const draft = typeof change === 'function' ? change(latest.current.draft) : change
      move({ type: 'typed', draft, stamp: stamp() })
    },
    [move],
  )
  // For what takes a discarding back when the composer may be closed.
  const isOpen = useRef(true)
  const left = useEffectEvent(() => {
    if (wants(latest.current) === 'store') void act()
  })
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      left()
    }
  }, [])
  const changed = isChanged(now)
  const settle = (event: KeepingEvent) => {
    forgetOthers(session, id)
    move(event)
  }
  return {
    now,
    draft: now.draft,
    setDraft,
    changed,
    isUnkept: isUnkept(now),
    tookOther: () => settle({ type: 'took other', stamp: stamp() }),
    keptThis: () => settle({ type: 'kept this', stamp: stamp() }),
    wentOn: () => move({ type: 'went on', id: crypto.randomUUID(), stamp: stamp() }),
    discard() {
      const { draft } = latest.current
      settle({ type: 'discarded', stamp: stamp() })
      return async () => {
        if (isOpen.current && latest.current.id === id && latest.current.phase !== 'over') {
          if (isChanged(latest.current)) throw occupied()
          return move({ type: 'brought back', draft, stamp: stamp() })
        }
        // The newest, under an id of its own unless it is an edit: it is written when it is opened again.
        const [copyId, sequence] = [postSetId ?? crypto.randomUUID(), stamp()]
        const { version } = latest.current
        const back = { id: copyId, draft, version, sequence, seen: 0, own: [], isStored: false, socialSetId, postSetId }
        writeCopy(session, back)
        await queryClient.cancelQueries({ queryKey: queryKeys.keptDrafts.all })
        await unsavedChanged()
      }
    },
    async saving(ending, request) {
      move({ type: 'saving', ending, stamp: stamp() })
      const save = () => {
        const { sequence, seen } = latest.current
        return request({ keptDraft: latest.current.id, sequence, seen, writer: WRITER })
      }
      const saved = await save().catch(async (error: unknown) => {
        if (hasCode(error, 'kept-draft:changed')) move({ type: 'changed elsewhere' })
        if (hasCode(error, 'kept-draft:saved')) move({ type: 'was saved' })
        if (!hasCode(error, 'kept-draft:id_taken')) throw error
        move({ type: 'went on', id: crypto.randomUUID(), stamp: stamp() })
        return save()
      })
      const { id: savedId, seen, sequence, phase, offer } = latest.current
      move({ type: 'saved' })
      for (const each of new Set([id, savedId])) {
        // What another page has beyond it was seen by no one.
        forgetOthers(session, each, Math.max(seen, sequence))
        // A copy that was offered and not chosen waits for the next time.
        if (phase !== 'asked' || offer?.sequence !== null) forgetCopy(session, each)
      }
      return saved
    },
  }
}

const TOO_MANY = 429
/** It may work in a moment. */
const isPassing = (error: unknown) => isOutage(error) || !(error instanceof ApiError) || error.status === TOO_MANY

function occupied(): ApiError {
  const message = t`You have written something else since, which is kept now.`
  return new ApiError({ status: 409, code: 'composer:occupied', message })
}
