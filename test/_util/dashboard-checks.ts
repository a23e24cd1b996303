import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules that see another page in other colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Looks at the page as it is now, with whatever dialog is open. Tells of each broken rule the first places and why.
 *
 * @param rules only these, of a page that the others have seen already
 */
export async function expectNoAxeViolations(page: Page, what = page.url(), rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(TAGS)).analyze()
  const told = violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }, index) => {
      const count = index === 0 && nodes.length > 3 ? ` (${nodes.length} places)` : ''
      return `${id}${count} at ${target.join(' ')}\n  ${failureSummary}`
    }),
  )
  expect(told, `axe on ${what}:\n${told.join('\n')}`).toEqual([])
}

/** At the width that the page has now, to which it may need a moment to adapt. Tells the innermost elements that are too wide. */
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

/** One heading of the first level, a title of its own, and the main landmark. */
export async function expectOneHeadingAndTitle(page: Page, what = page.url()): Promise<void> {
  const headings = await page.getByRole('heading', { level: 1 }).allTextContents()
  expect(headings, `headings of the first level on ${what}`).toHaveLength(1)
  expect(headings[0]?.trim(), what).not.toBe('')
  expect(await page.title(), what).toMatch(/\S.* [·–|-] Almanac$/)
  expect(await page.getByRole('main').count(), `main landmarks on ${what}`).toBe(1)
}
