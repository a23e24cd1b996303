// Dragging cards with a mouse, a pen or a finger. A card that is held at the edge turns the page, and what cannot be moved
// says why. Where a card would land is drawn over the grid, not into it: its days may be drawn again meanwhile.
import { t } from '@lingui/core/macro'
import classes from './drag.module.css'

/** Where a card was let go: on a day, or at a time of one. */
export interface DropPlace {
  date: string
  /** Since midnight; null on a day without hours. */
  minutes: number | null
  /** Ids of the brands that have a free time there, over all of them. */
  brands?: readonly string[]
}

/** The hours of a day in a week: where a time is, in pixels from the top of the hours, and back. */
export interface Hours {
  minutesAt: (y: number) => number
  yOf: (minutes: number) => number
}

interface DragOptions {
  /** How the hours of elements with `data-hours` are drawn; null without them. */
  hours: () => Hours | null
  /** Words for a place. */
  words: (place: DropPlace) => { day: string; time: string | null }
  /** Why a card cannot be moved; null when it can. */
  whyNot: (id: string) => string | null
  /** Where a card would be that is dropped on a place: at which time, and seldom on another day. */
  landing: (id: string, place: DropPlace) => DropPlace
  onRefused: (id: string, why: string) => void
  onDrop: (id: string, place: DropPlace) => void
  /** A card was held at the edge of the grid. */
  onTurn: (pages: 1 | -1) => void
}

const START_PX = 5
const LONG_PRESS_MS = 450
const LONG_PRESS_SLOP_PX = 10
const EDGE_PX = 36
const EDGE_HOLD_MS = 600
const EDGE_AGAIN_MS = 1_000
const SCROLL_EDGE_PX = 48
const SCROLL_STEP_PX = 12
const SNAP_MINUTES = 15
const FINE_SNAP_MINUTES = 5

/** Makes the cards in an element draggable: elements with `data-card`. Answers how to stop. */
export function watchDrags(root: HTMLElement, options: DragOptions): () => void {
  let drag: Drag | null = null
  let longPress: number | undefined

  const onPointerDown = (event: PointerEvent) => {
    if (drag || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || !event.isPrimary) return
    const target = event.target instanceof Element ? event.target : null
    const card = target?.closest<HTMLElement>('[data-card]')
    if (!card || target?.closest('[data-menu]')) return
    const begun = new Drag(root, card, event, options)
    drag = begun
    if (event.pointerType === 'touch') longPress = window.setTimeout(() => begun.start(), LONG_PRESS_MS)
    document.addEventListener('pointermove', onPointerMove)
    document.addEventListener('pointerup', onPointerUp)
    document.addEventListener('pointercancel', stop)
    document.addEventListener('keydown', onKeyDown, true)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!drag?.isOf(event)) return
    if (drag.started) return drag.move(event)
    const touch = event.pointerType === 'touch'
    if (drag.distance(event) < (touch ? LONG_PRESS_SLOP_PX : START_PX)) return
    if (touch) return stop()
    drag.start()
    drag.move(event)
  }
  const onPointerUp = (event: PointerEvent) => {
    if (!drag?.isOf(event)) return
    const ended = drag
    stop()
    if (!ended.started) return
    swallowClick()
    ended.drop(event)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !drag?.started) return
    event.preventDefault()
    event.stopPropagation()
    stop()
    swallowClick()
  }
  const stop = () => {
    window.clearTimeout(longPress)
    drag?.end()
    drag = null
    document.removeEventListener('pointermove', onPointerMove)
    document.removeEventListener('pointerup', onPointerUp)
    document.removeEventListener('pointercancel', stop)
    document.removeEventListener('keydown', onKeyDown, true)
  }
  // A finger that drags does not scroll, and a long press opens no menu of the browser.
  const onTouchMove = (event: TouchEvent) => {
    if (drag?.started && event.cancelable) event.preventDefault()
  }
  const onContextMenu = (event: Event) => {
    if (drag?.touch) event.preventDefault()
  }
  root.addEventListener('pointerdown', onPointerDown)
  root.addEventListener('touchmove', onTouchMove, { passive: false })
  root.addEventListener('contextmenu', onContextMenu, true)
  return () => {
    stop()
    root.removeEventListener('pointerdown', onPointerDown)
    root.removeEventListener('touchmove', onTouchMove)
    root.removeEventListener('contextmenu', onContextMenu, true)
  }
}

/** One card from the press of a button to its release. */
class Drag {
  started = false
  readonly touch: boolean
  private readonly root: HTMLElement
  private readonly card: HTMLElement
  private readonly id: string
  private readonly pointerId: number
  private readonly options: DragOptions
  private readonly from: { x: number; y: number }
  private readonly grab: { x: number; y: number }
  private at: { x: number; y: number; fine: boolean }
  private why: string | null = null
  private hand: HTMLElement | null = null
  private landing: HTMLElement | null = null
  private frame: number | undefined
  /** Null until the pointer has left the edge at which it may have begun. */
  private edge: { pages: 1 | 0 | -1; since: number; turned: boolean } | null = null

  constructor(root: HTMLElement, card: HTMLElement, event: PointerEvent, options: DragOptions) {
    this.root = root
    this.card = card
    this.id = card.dataset.card ?? ''
    this.options = options
    this.pointerId = event.pointerId
    this.touch = event.pointerType === 'touch'
    this.from = { x: event.clientX, y: event.clientY }
    this.at = { ...this.from, fine: false }
    const rect = card.getBoundingClientRect()
    this.grab = { x: event.clientX - rect.left, y: event.clientY - rect.top }
  }

  isOf({ pointerId }: PointerEvent): boolean {
    return pointerId === this.pointerId
  }

  distance({ clientX, clientY }: PointerEvent): number {
    return Math.hypot(clientX - this.from.x, clientY - this.from.y)
  }

  start(): void {
    this.started = true
    this.why = this.options.whyNot(this.id)
    if (this.why !== null) this.options.onRefused(this.id, this.why)
    const { width } = this.card.getBoundingClientRect()
    this.hand = over(classes.hand, copyOf(this.card))
    this.hand.style.width = `${width}px`
    this.hand.toggleAttribute('data-hours', this.card.closest('[data-hours]') !== null)
    if (this.why !== null) this.hand.append(over(classes.why, this.why))
    this.landing = over(classes.landing, over(classes.words))
    this.landing.hidden = true
    document.body.append(this.landing, this.hand)
    this.card.dataset.dragging = ''
    document.documentElement.style.cursor = this.why === null ? 'grabbing' : 'not-allowed'
    this.frame = requestAnimationFrame(this.draw)
  }

  move({ clientX, clientY, shiftKey }: PointerEvent): void {
    this.at = { x: clientX, y: clientY, fine: shiftKey }
  }

  drop({ clientX, clientY, shiftKey }: PointerEvent): void {
    this.at = { x: clientX, y: clientY, fine: shiftKey }
    const place = this.why === null ? this.place() : null
    if (place) this.options.onDrop(this.id, place.place)
  }

  end(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    this.hand?.remove()
    this.landing?.remove()
    delete this.card.dataset.dragging
    document.documentElement.style.cursor = ''
  }

  private readonly draw = (now: number): void => {
    this.frame = requestAnimationFrame(this.draw)
    const { x, y } = this.at
    if (this.hand) this.hand.style.transform = `translate(${x - this.grab.x}px, ${y - this.grab.y}px)`
    if (this.why !== null) return
    this.show(this.place())
    this.scroll()
    this.holdAtEdge(now)
  }

  private place(): { element: Element; place: DropPlace } | null {
    const { x, y, fine } = this.at
    const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-date]')
    if (!element || !this.root.contains(element)) return null
    const date = element.dataset.date ?? ''
    const hours = this.options.hours()
    if (!hours || !('hours' in element.dataset)) return { element, place: { date, minutes: null } }
    const snap = fine ? FINE_SNAP_MINUTES : SNAP_MINUTES
    const exact = hours.minutesAt(y - this.grab.y - element.getBoundingClientRect().top)
    const minutes = Math.min(24 * 60 - snap, Math.max(0, Math.round(exact / snap) * snap))
    return { element, place: { date, minutes } }
  }

  /** Lights up a whole day, or draws a line at a time of it, and says when the card will be. */
  private show(at: { element: Element; place: DropPlace } | null): void {
    const { landing } = this
    const words = landing?.firstElementChild
    if (!landing || !words) return
    landing.hidden = at === null
    if (!at) return
    const { left, top, width, height } = at.element.getBoundingClientRect()
    // The card in the hand does not cover the words.
    landing.toggleAttribute('data-above', this.at.y < top + height / 2)
    const { minutes } = at.place
    const hours = minutes === null ? null : this.options.hours()
    landing.toggleAttribute('data-line', hours !== null)
    const y = hours && minutes !== null ? top + hours.yOf(minutes) : top
    landing.style.transform = `translate(${left}px, ${y}px)`
    landing.style.width = `${width}px`
    landing.style.height = hours ? '2px' : `${height}px`
    const { day, time } = this.options.words(this.options.landing(this.id, at.place))
    const text = time === null ? t`Moves to ${day}` : t`Moves to ${day}, ${time}`
    if (words.textContent !== text) words.textContent = text
  }

  private scroll(): void {
    const { x, y } = this.at
    let element = document.elementFromPoint(x, y)
    while (element && !isScroller(element)) element = element.parentElement
    const scroller = element ?? document.scrollingElement
    if (!scroller) return
    const { top, bottom } = scroller.getBoundingClientRect()
    const [first, last] = [Math.max(0, top), Math.min(window.innerHeight, bottom)]
    if (y < first + SCROLL_EDGE_PX) scroller.scrollTop -= SCROLL_STEP_PX
    else if (y > last - SCROLL_EDGE_PX) scroller.scrollTop += SCROLL_STEP_PX
  }

  private holdAtEdge(now: number): void {
    const { left, right } = this.root.getBoundingClientRect()
    const forward = getComputedStyle(this.root).direction === 'rtl' ? -1 : 1
    const side = this.at.x < left + EDGE_PX ? -1 : this.at.x > right - EDGE_PX ? 1 : 0
    const pages = (side * forward) as 1 | 0 | -1
    if (this.edge === null && pages !== 0) return
    if (this.edge?.pages !== pages) {
      this.edge = { pages, since: now, turned: false }
    } else if (pages !== 0 && now - this.edge.since >= (this.edge.turned ? EDGE_AGAIN_MS : EDGE_HOLD_MS)) {
      this.edge = { pages, since: now, turned: true }
      this.options.onTurn(pages)
    }
  }
}

function isScroller(element: Element): boolean {
  return element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY)
}

/** An element of what is drawn over the grid. */
function over(className: string | undefined, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('aria-hidden', 'true')
  element.className = className ?? ''
  element.append(...content)
  return element
}

/** A card as it looks, which nothing finds. */
function copyOf(card: HTMLElement): Node {
  const copy = card.cloneNode(true) as HTMLElement
  copy.style.height = `${card.getBoundingClientRect().height}px`
  for (const element of [copy, ...copy.querySelectorAll<HTMLElement>('*')]) {
    for (const name of ['data-card', 'data-item', 'data-menu', 'aria-label', 'tabindex']) element.removeAttribute(name)
  }
  copy.inert = true
  return copy
}

/** The click that ends a drag is meant for nothing. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  window.setTimeout(() => window.removeEventListener('click', swallow, true), 50)
}
