// Dragging cards with a mouse, a pen or a finger. It listens to pointers itself instead of leaving that to the grid's
// library: pages are turned and cards drawn anew while something is dragged, and what cannot be moved says why.

/** Where a card was let go: on a day, or at a time of one. */
export interface DropPlace {
  date: string
  /** Since midnight; null on a day without a scale of hours. */
  minutes: number | null
}

export interface DragOptions {
  /** A class of elements whose height is a whole day; they have `data-date`, as days without hours have. */
  laneClass: string
  /** Why a card cannot be moved; null when it can. */
  whyNot: (id: string) => string | null
  /** Words for a place, shown at the pointer. */
  placeWords: (place: DropPlace) => string
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
export function watchDrags(root: HTMLElement, options: () => DragOptions): () => void {
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
  private readonly pointerId: number
  private readonly options: () => DragOptions
  private readonly from: { x: number; y: number }
  private readonly grab: { x: number; y: number }
  private at: { x: number; y: number; fine: boolean }
  private why: string | null = null
  private ghost: HTMLElement | null = null
  private words: HTMLElement | null = null
  private over: Element | null = null
  private frame: number | undefined
  private edge: { pages: 1 | -1; since: number; turned: boolean } | null = null

  constructor(root: HTMLElement, card: HTMLElement, event: PointerEvent, options: () => DragOptions) {
    this.root = root
    this.card = card
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
    const id = this.card.dataset.card ?? ''
    this.why = this.options().whyNot(id)
    if (this.why !== null) this.options().onRefused(id, this.why)
    this.ghost = this.makeGhost()
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
    if (place) this.options().onDrop(this.card.dataset.card ?? '', place.place)
  }

  end(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    this.ghost?.remove()
    delete this.card.dataset.dragging
    this.mark(null)
    document.documentElement.style.cursor = ''
  }

  private readonly draw = (now: number): void => {
    this.frame = requestAnimationFrame(this.draw)
    const { x, y } = this.at
    if (this.ghost) this.ghost.style.transform = `translate(${x - this.grab.x}px, ${y - this.grab.y}px)`
    if (this.why !== null) return
    const place = this.place()
    this.mark(place?.element ?? null)
    const words = place ? this.options().placeWords(place.place) : ''
    if (this.words && this.words.textContent !== words) this.words.textContent = words
    this.scroll()
    this.holdAtEdge(now)
  }

  private place(): { element: Element; place: DropPlace } | null {
    const { x, y, fine } = this.at
    const element = document.elementFromPoint(x, y)?.closest('[data-date]')
    if (!(element instanceof HTMLElement) || !this.root.contains(element)) return null
    const date = element.dataset.date ?? ''
    if (!element.classList.contains(this.options().laneClass)) return { element, place: { date, minutes: null } }
    const { top, height } = element.getBoundingClientRect()
    const snap = fine ? FINE_SNAP_MINUTES : SNAP_MINUTES
    const exact = ((y - this.grab.y - top) / height) * 24 * 60
    const minutes = Math.min(24 * 60 - snap, Math.max(0, Math.round(exact / snap) * snap))
    return { element, place: { date, minutes } }
  }

  private mark(element: Element | null): void {
    if (this.over === element) return
    this.over?.removeAttribute('data-drop')
    element?.setAttribute('data-drop', '')
    this.over = element
  }

  private scroll(): void {
    const { x, y } = this.at
    let element = document.elementFromPoint(x, y)
    while (element && element.scrollHeight <= element.clientHeight + 1) element = element.parentElement
    const scroller = element ?? document.scrollingElement
    if (!scroller) return
    const { top, bottom } = scroller.getBoundingClientRect()
    const [first, last] = [Math.max(0, top), Math.min(window.innerHeight, bottom)]
    if (y < first + SCROLL_EDGE_PX) scroller.scrollTop -= SCROLL_STEP_PX
    else if (y > last - SCROLL_EDGE_PX) scroller.scrollTop += SCROLL_STEP_PX
  }

  private holdAtEdge(now: number): void {
    const { left, right } = this.root.getBoundingClientRect()
    const pages = this.at.x < left + EDGE_PX ? -1 : this.at.x > right - EDGE_PX ? 1 : null
    if (pages === null) {
      this.edge = null
    } else if (this.edge?.pages !== pages) {
      this.edge = { pages, since: now, turned: false }
    } else if (now - this.edge.since >= (this.edge.turned ? EDGE_AGAIN_MS : EDGE_HOLD_MS)) {
      this.edge = { pages, since: now, turned: true }
      this.options().onTurn(pages)
    }
  }

  private makeGhost(): HTMLElement {
    const ghost = document.createElement('div')
    ghost.setAttribute('aria-hidden', 'true')
    const { width, height } = this.card.getBoundingClientRect()
    Object.assign(ghost.style, {
      position: 'fixed',
      top: '0',
      left: '0',
      width: `${width}px`,
      zIndex: '1000',
      pointerEvents: 'none',
    })
    const copy = this.card.cloneNode(true)
    if (copy instanceof HTMLElement) {
      copy.removeAttribute('data-card')
      for (const item of copy.querySelectorAll('[data-item],[data-menu]')) item.remove()
      copy.append(
        ...[...(this.card.querySelector('[data-item]')?.childNodes ?? [])].map((node) => node.cloneNode(true)),
      )
      Object.assign(copy.style, {
        height: `${height}px`,
        gap: '4px',
        alignItems: 'center',
        boxShadow: '0 4px 12px rgb(0 0 0 / 30%)',
      })
      ghost.append(copy)
    }
    this.words = document.createElement('div')
    Object.assign(this.words.style, {
      display: 'inline-block',
      maxWidth: '320px',
      marginTop: '4px',
      padding: '2px 8px',
      borderRadius: '4px',
      background: '#212529',
      color: '#fff',
      fontSize: '12px',
    })
    this.words.textContent = this.why ?? ''
    ghost.append(this.words)
    document.body.append(ghost)
    return ghost
  }
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
