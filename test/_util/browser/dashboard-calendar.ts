import type { Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import type { Body, Seeds } from './dashboard-seed.ts'

/** The address of the calendar's page. */
export function calendarPath(view: 'month' | 'week' | 'list', search: Record<string, string>): string {
  return `/dashboard/scheduling/calendar/${view}?${new URLSearchParams(search)}`
}

/** The card of a post set, by the beginning of its text. */
export const card = (page: Page, text: string): Locator =>
  page.locator('[data-item^="card-"]').filter({ hasText: text }).first()

/** A day of the month, or the scale of hours of a day of the week. */
export const day = (page: Page, date: string): Locator => page.locator(`[role="cell"][data-date="${date}"]`).last()

/** The card with that text on that day. */
export const cardOn = (page: Page, date: string, text: string): Locator =>
  page.locator(`[data-date="${date}"] [data-item^="card-"]`).filter({ hasText: text })

/** What the live region says now. */
export const spoken = (page: Page): Promise<string> =>
  page.locator('[role="status"][aria-live="polite"]').last().innerText()

export async function expectSpoken(page: Page, words: RegExp): Promise<void> {
  await vi.waitFor(async () => expect(await spoken(page)).toMatch(words), { timeout: 8_000 })
}

/** Presses on a card, moves over the page in steps as a hand does, and lets go in the lower half of a day. */
export async function drag(page: Page, from: Locator, to: Locator, options: { hold?: string } = {}): Promise<void> {
  const [start, end] = [await box(from), await box(to)]
  await page.mouse.move(start.x + 12, start.y + 8)
  await page.mouse.down()
  await page.mouse.move(start.x + 24, start.y + 24, { steps: 3 })
  if (options.hold) await page.keyboard.down(options.hold)
  await page.mouse.move(end.x + end.width / 2, end.y + end.height * 0.75, { steps: 8 })
  await page.mouse.up()
  if (options.hold) await page.keyboard.up(options.hold)
}

/** Where an element is, in the window. It may be drawn again meanwhile. */
export function box(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const look = async () => {
    await element.scrollIntoViewIfNeeded()
    const found = await element.boundingBox()
    if (!found) throw new Error(`${element} is not on the page.`)
    return found
  }
  return vi.waitFor(look, { timeout: 8_000, interval: 50 })
}

/** When a post set is, as the API reports it. */
export async function timeOf(seed: Seeds, id: string): Promise<string> {
  const set: Body = await seed.call('GET', `/v1/post-sets/${id}`)
  return set.scheduledAt
}

/** Waits until the API reports a time. */
export async function expectTime(seed: Seeds, id: string, instant: string): Promise<void> {
  await vi.waitFor(async () => expect(await timeOf(seed, id)).toBe(instant), { timeout: 8_000, interval: 50 })
}

/** Waits until a card has the focus. */
export async function expectFocus(element: Locator): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(
        await element.first().evaluate((found: { matches(rule: string): boolean }) => found.matches(':focus')),
      ).toBe(true),
    { timeout: 8_000, interval: 50 },
  )
}

/** Puts the focus on a card. What is drawn again is invisible for a moment and takes none. */
export async function focusOn(element: Locator): Promise<void> {
  await element.waitFor()
  await vi.waitFor(
    async () => {
      await element.focus()
      expect(await element.evaluate((found: { matches(rule: string): boolean }) => found.matches(':focus'))).toBe(true)
    },
    { timeout: 8_000, interval: 50 },
  )
}
