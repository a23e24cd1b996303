// Lists that do not move under a finger: what leaves stays where it is for a while, and goes when no one touches the page.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { contentMoved, quietFor } from './presses.ts'

/** So long what was decided stays where it was. */
const STAYS_MS = 10_000
/** When no one has touched the page for so long, it may move. */
const QUIET_MS = 1_500
const LOOK_MS = 250

/**
 * A list as it stays: what is shown keeps its place, what comes behind the last one is added, and what left or came between
 * waits until the list may move (`moves`).
 */
export function stillList<T extends { id: string }>(
  shown: readonly T[],
  items: readonly T[],
  moves: boolean,
): readonly T[] {
  if (moves || shown.length === 0) return items
  const byId = new Map(items.map((item) => [item.id, item]))
  const known = new Set(shown.map(({ id }) => id))
  const last = items.findLastIndex(({ id }) => known.has(id))
  const behind = items.slice(last + 1)
  return [...shown.map((item) => byId.get(item.id) ?? item), ...(last === -1 ? [] : behind)]
}

/** Whether a list shows what is there, in its order. */
const isAs = (shown: readonly { id: string }[], items: readonly { id: string }[]) =>
  shown.length === items.length && shown.every(({ id }, index) => id === items[index]?.id)

/** A list that does not move under a finger. Another `scope` is another list. */
export function useStillList<T extends { id: string }>(items: readonly T[], scope: string): readonly T[] {
  const [state, setState] = useState({ scope, shown: items })
  const fresh = state.scope !== scope
  const shown = fresh ? items : stillList(state.shown, items, false)
  const differs = !isAs(shown, items)
  const latest = useRef({ items, scope })
  useEffect(() => {
    latest.current = { items, scope }
    setState((before) =>
      before.scope === scope && isAs(before.shown, shown) && before.shown.every((item, at) => item === shown[at])
        ? before
        : { scope, shown },
    )
  })
  const left = shown.some(({ id }) => !items.some((item) => item.id === id))
  useWhenQuiet(differs ? items.map(({ id }) => id).join() : null, left ? STAYS_MS : 0, () => {
    contentMoved()
    setState({ scope: latest.current.scope, shown: latest.current.items })
  })
  return shown
}

/** True while `on`, and for a while after it: until what it shows may go without anything moving under a finger. */
export function useStays(on: boolean): boolean {
  const [stays, setStays] = useState(on)
  if (on && !stays) setStays(true)
  useWhenQuiet(stays && !on ? 'off' : null, STAYS_MS, () => {
    contentMoved()
    setStays(false)
  })
  return on || stays
}

/** An element that does not get lower, so that nothing below it moves up under a finger. */
export function useKeepsHeight(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  const kept = useRef({ width: 0, height: 0 })
  const [lower, setLower] = useState<string | null>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    element.style.minHeight = ''
    const { offsetWidth: width, offsetHeight: height } = element
    if (width !== kept.current.width || height >= kept.current.height) {
      kept.current = { width, height }
      setLower(null)
    } else {
      element.style.minHeight = `${kept.current.height}px`
      setLower(`${height}`)
    }
  })
  useWhenQuiet(lower, STAYS_MS, () => {
    contentMoved()
    kept.current = { width: 0, height: 0 }
    setLower(null)
  })
  return ref
}

/** Does something once a state has lasted for so long, and no one touches the page. Null: there is none. */
function useWhenQuiet(state: string | null, ms: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (state === null) return
    const began = performance.now()
    const timer = window.setInterval(() => {
      if (performance.now() - began < ms || quietFor() < QUIET_MS) return
      window.clearInterval(timer)
      latest.current()
    }, LOOK_MS)
    return () => window.clearInterval(timer)
  }, [state, ms])
}
