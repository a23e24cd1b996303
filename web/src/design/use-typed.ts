import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 250

/**
 * The text of a field that is searched by, which is asked for once the person pauses. What comes back late is never put over what
 * was typed since; what is changed elsewhere, such as cleared, is.
 *
 * @param asked what is searched by now
 */
export function useTyped(asked: string, ask: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(asked)
  /** What was asked for here and is not searched by yet, the oldest first. */
  const under = useRef<string[]>([])
  // As it is then: what else is asked for may have changed in the pause.
  const askFor = useEffectEvent((text: string) => {
    const wanted = text.trim()
    if (wanted === (under.current.at(-1) ?? asked)) return
    under.current.push(wanted)
    ask(wanted)
  })
  useEffect(() => {
    const place = under.current.lastIndexOf(asked)
    under.current.splice(0, place === -1 ? under.current.length : place + 1)
    if (place === -1) setTyped(asked)
  }, [asked])
  useEffect(() => {
    const timer = window.setTimeout(() => askFor(typed), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
