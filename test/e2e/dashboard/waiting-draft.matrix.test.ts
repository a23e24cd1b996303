import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Credentials, type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Who corrects a typo in a post that waits for approval saves it: it goes on waiting, and nothing schedules it. */

const browser = testBrowser()
let dashboard: Dashboard
const people: Record<string, true | Credentials> = { owner: true }
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  people.admin = await dashboard.newMember({ role: 'admin' })
  people.editor = await dashboard.newMember({ role: 'editor' })
}, 180_000)
afterAll(() => dashboard?.stop())

const RULES = {
  optional: { rule: 'OPTIONAL', reviewers: 1 },
  'two of the team': { rule: 'REQUIRED', reviewers: 2 },
  'the team, then the client': { rule: 'TEAM_THEN_CLIENT', reviewers: 1 },
} as const
const setRule = (name: keyof typeof RULES) =>
  dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/approval-rule`, {
    ...RULES[name],
  })

let number = 0
async function edit(who: string, approval: string, more: object = {}) {
  number += 1
  const { id } = await dashboard.seed.postSet({
    ...{ caption: `Number ${number}`, approval, scheduledAt: '2030-06-12T10:00:00Z' },
    ...more,
  })
  const path = `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&date=2030-06-12&post=${id}`
  const page = await dashboard.open(path, { signedIn: people[who] ?? true })
  await page
    .getByRole('dialog', { name: 'Post', exact: true })
    .getByRole('button', { name: 'Edit', exact: true })
    .click()
  const composer = page.getByRole('dialog', { name: 'Edit post' })
  await composer.getByLabel('Caption').fill(`Number ${number}, corrected`)
  await settled(page)
  return { id, page, composer }
}
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject(wanted), {
    timeout: 20_000,
    interval: 100,
  })
const menu = async (page: Page) => {
  await page.getByRole('button', { name: 'More options' }).click()
  const items = await page.getByRole('menuitem').allInnerTexts()
  return items.map((text) => text.split('\n')[0])
}

describe.each([
  ['optional', 'owner', 'PENDING', 'Waiting for the team', true],
  ['optional', 'editor', 'EXTERNAL_PENDING', 'Waiting for the client', true],
  ['two of the team', 'owner', 'PENDING', 'Waiting for the team: 0 of 2 approvals', true],
  ['two of the team', 'editor', 'PENDING', 'Waiting for the team: 0 of 2 approvals', false],
  ['the team, then the client', 'owner', 'PENDING', 'Waiting for the team, then the client', true],
  ['the team, then the client', 'admin', 'EXTERNAL_PENDING', 'Waiting for the client', true],
  ['the team, then the client', 'editor', 'PENDING', 'Waiting for the team, then the client', false],
] as const)('where approval is %s, as %s, of %s', (rule, who, approval, line, exempt) => {
  test('saving keeps it waiting, and scheduling it asks', async () => {
    await setRule(rule)
    const { id, page, composer } = await edit(who, approval)
    await composer.getByText(line, { exact: true }).waitFor()
    await composer.getByText(/^Saved as a draft for 12 June 2030/).waitFor()
    const items = await menu(page)
    expect(items.filter((item) => /^Schedule/.test(item ?? ''))).toEqual(exempt ? ['Schedule without approval…'] : [])
    await page.keyboard.press('Escape')
    await composer.getByRole('button', { name: 'Save', exact: true }).click()
    await composer.waitFor({ state: 'detached' })
    // The team looks again at what it has approved and was changed.
    const after = rule !== 'optional' && approval === 'EXTERNAL_PENDING' ? 'PENDING' : approval
    await becomes(id, { status: 'DRAFT', approval: after, posts: [{ caption: `Number ${number}, corrected` }] })
  })
})

test('scheduling it without approval names who has not decided', async () => {
  await setRule('the team, then the client')
  const { id, page, composer } = await edit('owner', 'PENDING')
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: /^Schedule without approval/ }).click()
  const question = page.getByRole('dialog', { name: 'Schedule without approval?' })
  await question.getByText(/still waits for the team, then the client/).waitFor()
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await becomes(id, { status: 'DRAFT', approval: 'PENDING' })
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: /^Schedule without approval/ }).click()
  await question.getByRole('button', { name: 'Schedule without approval' }).click()
  await composer.waitFor({ state: 'detached' })
  await becomes(id, { status: 'SCHEDULED' })
})

test.each(['optional', 'the team, then the client'] as const)(
  'what was returned for changes is shown again, not scheduled, where approval is %s',
  async (rule) => {
    await setRule(rule)
    const { id, page, composer } = await edit('owner', 'DENIED')
    await composer.getByText(/^Saved as a draft for 12 June 2030; the team is asked$/).waitFor()
    expect(await menu(page)).toContain('Schedule')
    await page.keyboard.press('Escape')
    await composer.getByRole('button', { name: 'Request approval', exact: true }).click()
    await composer.waitFor({ state: 'detached' })
    await becomes(id, { status: 'DRAFT', approval: 'PENDING', posts: [{ caption: `Number ${number}, corrected` }] })
  },
)

test('keys save it, too', async () => {
  await setRule('optional')
  const { id, page, composer } = await edit('owner', 'PENDING')
  await page.keyboard.press('Control+Enter')
  await composer.waitFor({ state: 'detached' })
  await becomes(id, { status: 'DRAFT', approval: 'PENDING', posts: [{ caption: `Number ${number}, corrected` }] })
})

test('the menu of a card asks before it schedules what waits, also who needs no approval', async () => {
  await setRule('the team, then the client')
  const { id } = await dashboard.seed.postSet({
    ...{ caption: 'From the menu', approval: 'EXTERNAL_PENDING', scheduledAt: '2030-06-13T10:00:00Z' },
  })
  const path = `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&date=2030-06-12&post=${id}`
  const page = await dashboard.open(path, { signedIn: true })
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Schedule…', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Schedule without approval?' })
  await question.getByText(/still waits for the client/).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await becomes(id, { status: 'DRAFT', approval: 'EXTERNAL_PENDING' })
})

test('what is scheduled already is saved and stays so', async () => {
  await setRule('the team, then the client')
  const { id, composer } = await edit('owner', 'PENDING', { status: 'SCHEDULED' })
  await composer.getByText(/^Goes out/).waitFor()
  await composer.getByRole('button', { name: 'Save', exact: true }).click()
  await composer.waitFor({ state: 'detached' })
  await becomes(id, { status: 'SCHEDULED', approval: 'PENDING' })
})
