import type { Page } from 'playwright-core'

/** The machine and the line that the speed goals are set for: a phone's processor on a good mobile line. */
export const SLOW_MACHINE = { cpuSlowdown: 4, megabitsPerSecond: 10, latencyMs: 40 }

/** Slows a page down from now on. */
export async function throttle(page: Page, options: typeof SLOW_MACHINE = SLOW_MACHINE): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = (options.megabitsPerSecond * 1_000_000) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: options.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: options.cpuSlowdown })
}

/** Of one load of a page, as browsers measure it (web.dev/articles/vitals, read 2026-11-21). */
export interface Vitals {
  /** Largest contentful paint so far, ms after the navigation began; null before any. */
  lcp: number | null
  /** From each input to the next frame, ms in steps of 8, shortest first. Those under 16 ms are not reported. */
  inputs: number[]
  /** What jumped about without an input, by the worst session window of 5 s with gaps under 1 s. */
  cls: number
  /** What it was, and how far: of each jump that counts the elements with their place before and after. */
  moved: string[]
}

/** Less than this no one notices, nor names. */
const LEAST_SHIFT = 0.001

const OBSERVE = `(() => {
  const nameOf = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement
    if (!element) return 'something that is gone'
    const { tagName, className, dataset } = element
    const name = element.getAttribute('aria-label') ?? dataset.item ?? dataset.date ?? ''
    return [tagName.toLowerCase(), typeof className === 'string' ? className : '', name].join(' ').slice(0, 120)
  }
  const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(',')
  const seen = { lcp: null, inputs: {}, shifts: [] }
  window.almanacVitals = seen
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcp = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      const moved = (entry.sources ?? []).map(({ node, previousRect, currentRect }) =>
        nameOf(node) + ': ' + placeOf(previousRect) + ' to ' + placeOf(currentRect))
      seen.shifts.push({ at: entry.startTime, value: entry.value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) seen.inputs[interactionId] = Math.max(duration, seen.inputs[interactionId] ?? 0)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
})()`

/** Call it before the page is opened. */
export async function observeVitals(page: Page): Promise<void> {
  await page.addInitScript(OBSERVE)
}

/** What was observed since the page's last load. */
export async function vitals(page: Page): Promise<Vitals> {
  const seen = await page.evaluate<{
    lcp: number | null
    inputs: Record<string, number>
    shifts: { at: number; value: number; moved: string[] }[]
  }>('window.almanacVitals')
  const inputs = Object.values(seen.inputs).toSorted((a, b) => a - b)
  const moved = seen.shifts
    .filter(({ value }) => value > LEAST_SHIFT)
    .flatMap(({ at, value, moved: elements }) =>
      elements.map((element) => `${value.toFixed(4)} at ${Math.round(at)} ms: ${element}`),
    )
  return { lcp: seen.lcp, inputs, cls: layoutShift(seen.shifts), moved }
}

/** Of values in ascending order: the one that `share` of them do not exceed. Null of none. */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

/** Begins to write down how long each frame of a page takes; call what it gives to end. Milliseconds, shortest first. */
export async function recordFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`(() => {
    const frames = []
    window.almanacFrames = { frames, ended: false }
    let last = performance.now()
    const next = (now) => {
      if (now > last) frames.push(now - last)
      last = now
      if (!window.almanacFrames.ended) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })()`)
  return async () => {
    const frames = await page.evaluate<number[]>('(window.almanacFrames.ended = true, window.almanacFrames.frames)')
    return frames.toSorted((a, b) => a - b)
  }
}

function layoutShift(shifts: readonly { at: number; value: number }[]): number {
  let worst = 0
  let current = 0
  let begun = 0
  let last = -Infinity
  for (const { at, value } of shifts) {
    const continues = at - last < 1_000 && at - begun < 5_000
    current = continues ? current + value : value
    if (!continues) begun = at
    last = at
    worst = Math.max(worst, current)
  }
  return worst
}
