// A finger that taps once too often means what it saw first. What comes under it by what it did, and what moved there by
// itself, does not answer to it.

/** So long after a press on something that decides, another one on the same spot is part of it. */
const REPEAT_MS = 700
/** As far apart as two taps of one finger on one spot are, in pixels. */
const SPOT = 32
/** So long what has just moved is not what was meant. */
const MOVED_MS = 500
/** What decides says so, in its element: `<button {...DECIDES}>`. */
export const DECIDES = { 'data-decides': true } as const
/** What leads on to a decision: a press that repeats it decides nothing, and may do anything else. */
export const LEADS = { 'data-leads': true } as const

interface Press {
  x: number
  y: number
  until: number
  on: Element
  decides: boolean
}

let press: Press | null = null
let movedAt = Number.NEGATIVE_INFINITY
let touchedAt = Number.NEGATIVE_INFINITY
let downAt = Number.NEGATIVE_INFINITY

/** Something has moved on the page without a person having moved it. */
export function contentMoved(): void {
  movedAt = performance.now()
}

/** Milliseconds since someone last pressed, moved a finger, turned a wheel or used a key. */
export const quietFor = (): number => performance.now() - touchedAt

/** Drops the presses that are not meant. Called once, before anything is shown. */
export function guardPresses(): void {
  const touched = () => {
    touchedAt = performance.now()
  }
  for (const name of ['touchmove', 'wheel', 'scroll', 'keydown', 'pointerup']) {
    document.addEventListener(name, touched, { capture: true, passive: true })
  }
  document.addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      touched()
      downAt = timeStamp
    },
    true,
  )
  document.addEventListener('click', dropUnmeant, true)
  // Who writes in between has seen what came.
  document.addEventListener(
    'input',
    () => {
      press = null
    },
    true,
  )
}

function dropUnmeant(event: MouseEvent): void {
  // By keys, or by what reads a page aloud: there is no spot.
  if (event.detail === 0 || !(event.target instanceof Element)) return
  // When the finger was there: a page that is busy learns of it later.
  const now = event.timeStamp
  const on = event.target.closest('[data-decides], [data-leads]')
  const decides = on?.hasAttribute('data-decides') ?? false
  const isRepeat = press !== null && now < press.until && isNear(press, event) && !press.on.contains(event.target)
  const repeats = isRepeat && (decides || press?.decides)
  if (repeats || (decides && downAt - movedAt < MOVED_MS)) {
    event.preventDefault()
    event.stopImmediatePropagation()
    // Who goes on tapping goes on with the same.
    if (press && repeats) press.until = now + REPEAT_MS
    return
  }
  if (on) press = { x: event.clientX, y: event.clientY, until: now + REPEAT_MS, on, decides }
  // A press elsewhere in between is no tap too many.
  else if (press !== null && !isNear(press, event)) press = null
}

const isNear = ({ x, y }: Press, { clientX, clientY }: MouseEvent) => Math.hypot(x - clientX, y - clientY) < SPOT
