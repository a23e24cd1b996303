import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { WHOLE } from '../run/whole.ts'
import { NARROW, WIDE } from './browser.ts'
import { settled } from './dashboard.ts'
import { vitals } from './dashboard-speed.ts'

/** As small as a window of 1280 × 1024 is at 400 %. */
export const SMALLEST = { width: 320, height: 256 }

/** The goal of every state of every screen: how much may move without having been asked to. */
const MOST_CLS = 0.02

/** Fails when something has moved since the last load of a page that `observeVitals` looks at, and names it. */
export async function expectCalm(page: Page, what = 'the page'): Promise<void> {
  const { cls, moved } = await vitals(page)
  expect(cls, [`Of ${what} there moved:`, ...moved].join('\n')).toBeLessThanOrEqual(MOST_CLS)
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The sections of the settings, below `/dashboard/settings/`. */
export const SETTINGS = [
  'api-keys',
  'social-sets',
  'labels',
  'team',
  'plan',
  'profile',
  'security',
  'notifications',
  'calendars',
  'shared-calendars',
  'network-apps',
  'webhooks',
] as const

/**
 * How each form of a screen is looked at: `describe.each(LOOKS)('$name', …)` with `expectNoAxeInBothColors`. What is where depends
 * on the width, how it is colored on the scheme: each width is walked through once, and its colors are looked at in both.
 */
export const LOOKS = [
  { name: 'light, wide', colorScheme: 'light', viewport: WIDE },
  { name: 'dark, narrow', colorScheme: 'dark', viewport: NARROW },
] as const

/** Rules that see another page in other colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** The texts inside an element that are cut at the end for want of room. */
export function cutTexts(inside: Locator): Promise<string[]> {
  return inside.locator('*').evaluateAll(((elements: CutElement[]) =>
    elements
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 1)
      .filter((element) => element.ownerDocument.defaultView.getComputedStyle(element).overflowX !== 'visible')
      .map(({ textContent }) => textContent)) as never)
}

interface CutElement {
  scrollWidth: number
  /** 1 of what is for screen readers alone. */
  clientWidth: number
  textContent: string
  ownerDocument: { defaultView: { getComputedStyle(element: unknown): { overflowX: string } } }
}

/** What fades in or out has colors that no one reads. Only what turns forever, such as a spinner, still moves then. */
const STILL = `document.getAnimations().every(
  ({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity
)`

/** What lies below an open list is pressed once that is closed. Which days these are, the day says on which a test runs. */
const FLOATS = `[...document.querySelectorAll('[role="menu"], [role="listbox"], [role="dialog"]')].some((each) => each.checkVisibility())`
const COVERED = /partially obscured/

/**
 * Looks at the page as it is now, with any dialog that is open. Reports of each broken rule the first places and why.
 *
 * @param rules only these, of a page that the others have seen already
 */
export async function expectNoAxeViolations(page: Page, what = page.url(), rules?: string[]): Promise<void> {
  // What was changed just now, such as the colors, begins to move with the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  await expect.poll(() => page.evaluate(STILL), { timeout: 20_000, interval: 20 }).toBe(true)
  const violations = await runAxe(page, rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS })
  const partly = await partlyInSight(page, violations)
  const covers = await page.evaluate<boolean>(FLOATS)
  const reported = violations.flatMap(({ id, nodes: all }) => {
    const nodes = all.filter((node) => !partly.has(node) && !(covers && COVERED.test(node.failureSummary ?? '')))
    return nodes.slice(0, 3).map(({ target, failureSummary }, index) => {
      const count = index === 0 && nodes.length > 3 ? ` (${nodes.length} places)` : ''
      return `${id}${count} at ${target.join(' ')}\n  ${failureSummary}`
    })
  })
  // All on one line: of a failure, a report of the whole run gives the first.
  expect(reported, `axe on ${what}: ${reported.join(' | ').replaceAll(/\s+/g, ' ')}`).toEqual([])
}

/** The page as it is now: all rules in the scheme that it has, and those about colors in the other one. */
export async function expectNoAxeInBothColors(page: Page, what = page.url()): Promise<void> {
  await expectNoAxeViolations(page, what)
  const dark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  await page.emulateMedia({ colorScheme: dark ? 'light' : 'dark' })
  await expectNoAxeViolations(page, `${what}, ${dark ? 'light' : 'dark'}`, COLOR_RULES)
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds broken. It comes into a page once, which has no frames, and reports only what is broken where it is.
 *
 * @param within a selector; else the whole page
 */
async function runAxe(page: Page, runOnly: RunOptions['runOnly'], within?: string): Promise<AxeResults['violations']> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(AXE)
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], iframes: false })
  return page.evaluate(
    `axe.run(${within ? JSON.stringify(within) : 'document'}, ${options}).then((all) => all.violations)`,
  )
}

type Violations = AxeResults['violations']

/**
 * Targets that are too small only where the page is scrolled to, as a bar covers a part of them, or only until the rows of a long
 * list have been measured: in the middle of the window they are large enough.
 */
async function partlyInSight(
  page: Page,
  violations: Violations,
): Promise<ReadonlySet<Violations[number]['nodes'][number]>> {
  const partly = new Set<Violations[number]['nodes'][number]>()
  for (const node of violations.flatMap(({ id, nodes }) => (id === 'target-size' ? nodes : []))) {
    // By a mark of its own, as a path to it is another one when rows have come or gone.
    const marked = await page.evaluate<boolean>(`(() => {
      document.querySelector('[data-looked-at]')?.removeAttribute('data-looked-at')
      const element = document.querySelector(${JSON.stringify(node.target.join(' '))})
      element?.setAttribute('data-looked-at', '')
      element?.scrollIntoView({ block: 'center' })
      return element !== null
    })()`)
    if (!marked) continue
    const look = () => runAxe(page, { type: 'rule', values: ['target-size'] }, '[data-looked-at]')
    for (const deadline = Date.now() + 3_000; !partly.has(node) && Date.now() < deadline; ) {
      if ((await look()).length === 0) partly.add(node)
    }
  }
  return partly
}

/**
 * At the width that the page has now, to which it may need a moment to adapt. Names the innermost elements that are too wide.
 */
export async function expectNoSidewaysScroll(page: Page, what = page.url()): Promise<void> {
  const look = () =>
    page.evaluate<string[]>(`(() => {
      if (document.documentElement.scrollWidth <= innerWidth) return []
      const wide = [...document.body.querySelectorAll('*')].filter((element) => {
        const { left, right } = element.getBoundingClientRect()
        return Math.max(right, left + element.scrollWidth) > innerWidth + 1
      })
      return ['the page', ...wide.slice(-5).map((element) => element.outerHTML.slice(0, 160))]
    })()`)
  let found = await look()
  for (const deadline = Date.now() + 2_000; found.length > 0 && Date.now() < deadline; ) found = await look()
  expect(found, `wider than the window on ${what}:\n${found.join('\n')}`).toEqual([])
}

/**
 * Every control that is seen is inside of the window, and none lies over another of the same part of the page: of its toolbar,
 * its rows, its dialog.
 */
export async function expectControlsApart(page: Page, what = page.url()): Promise<void> {
  const found = await page.evaluate<string[]>(`(() => {
    const rule = 'button, a[href]:not(.skip-link), input:not([type="hidden"]), select, textarea, [role="tab"]'
    const wrong = []
    const said = (element) => element.outerHTML.slice(0, 140)
    /** What is left of an element where its ancestors cut it off; null of nothing. */
    const seen = (element) => {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null
      let { left, top, right, bottom } = element.getBoundingClientRect()
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        if (getComputedStyle(parent).overflow === 'visible') continue
        const box = parent.getBoundingClientRect()
        left = Math.max(left, box.left); right = Math.min(right, box.right)
        top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom)
      }
      return right - left > 2 && bottom - top > 2 ? { element, left, top, right, bottom } : null
    }
    const boxes = [...document.querySelectorAll(rule)].map(seen).filter((box) => box !== null)
    for (const { element, left, right } of boxes) {
      if (left < -1 || right > innerWidth + 1) wrong.push('outside: ' + said(element))
    }
    // What floats lies over the page on purpose.
    const named = (element) => element.closest('[role="dialog"], nav, [role="toolbar"], [role="menu"], [class*="where"]')
    const layer = (element) => {
      for (let up = element; up && up !== named(element); up = up.parentElement) {
        if (/fixed|sticky/.test(getComputedStyle(up).position)) return up
      }
      return named(element)
    }
    const field = (element) => element.closest('.mantine-Input-wrapper')
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        if (layer(one.element) !== layer(other.element)) continue
        // The button inside of a field, which leaves room for it.
        if (field(one.element) !== null && field(one.element) === field(other.element)) continue
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
        if (width > 2 && height > 2) wrong.push('over each other: ' + said(one.element) + ' and ' + said(other.element))
      }
    }
    return wrong
  })()`)
  expect(found, `controls on ${what}:\n${found.join('\n')}`).toEqual([])
}

let looked = 0

/**
 * A page in all looks: all rules once wide and once narrow, in either the colors of both schemes; then at 320 pixels, where
 * nothing is wider than the window. Where only a part is run, the rules are looked at in one width and one scheme, others at each call.
 */
export async function expectEveryLook(page: Page, what = page.url()): Promise<void> {
  await settled(page)
  await expectOneHeadingAndTitle(page, what)
  const turn = looked++
  for (const [at, width] of [WIDE, NARROW].entries()) {
    if (!WHOLE && turn % 2 !== at) continue
    await page.setViewportSize(width)
    await settled(page)
    const look = `${what}, ${width === WIDE ? 'wide' : 'narrow'}`
    if (WHOLE) await expectNoAxeInBothColors(page, look)
    else {
      const colorScheme = turn % 4 < 2 ? 'light' : 'dark'
      await page.emulateMedia({ colorScheme })
      await expectNoAxeViolations(page, `${look}, ${colorScheme}`)
      await page.emulateMedia({ colorScheme: null })
    }
  }
  await page.setViewportSize(SMALLEST)
  await expectNoSidewaysScroll(page, what)
  await page.setViewportSize(WIDE)
}

/** One heading of the first level, a title of its own, and the main landmark. */
export async function expectOneHeadingAndTitle(page: Page, what = page.url()): Promise<void> {
  const headings = await page.getByRole('heading', { level: 1 }).allTextContents()
  expect(headings, `headings of the first level on ${what}`).toHaveLength(1)
  expect(headings[0]?.trim(), what).not.toBe('')
  expect(await page.title(), what).toMatch(/\S.* [·–|-] Almanac$/)
  expect(await page.getByRole('main').count(), `main landmarks on ${what}`).toBe(1)
}
