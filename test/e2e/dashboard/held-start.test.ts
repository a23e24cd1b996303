import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { dashboardOnDatabase } from '../../_util/browser/dashboard-on-database.ts'
import { holdAsCopy } from '../../_util/engine/held-start.ts'

/** An Almanac that may be a copy, as its people see it. */

const browser = testBrowser()
const started = dashboardOnDatabase(browser)

const CALENDAR = '/dashboard/scheduling/calendar/list'

test('all see that nothing goes out; an operator answers, and what was due is a draft', async () => {
  const editor = await started.dashboard.newMember({ role: 'editor' })
  await holdAsCopy(started.db)
  const { id } = await started.dashboard.seed.postSet({
    ...{ caption: 'Late bread', status: 'SCHEDULED', scheduledAt: new Date().toISOString() },
  })
  const theirs = await started.dashboard.open(CALENDAR, { signedIn: editor })
  const seen = theirs.getByRole('region', { name: 'Almanac waits for an answer' })
  await seen.getByText('This Almanac may be a copy of another one, so nothing is published.').waitFor()
  expect(await seen.getByRole('button').count()).toBe(0)
  await theirs.getByRole('row').filter({ hasText: 'Late bread' }).getByText('Stopped').waitFor()

  const page = await started.dashboard.open(CALENDAR, { signedIn: true })
  const banner = page.getByRole('region', { name: 'Almanac waits for an answer' })
  await expectNoAxeViolations(page, 'a start that is held')
  await banner.getByRole('button', { name: 'This is the only one: go on…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is this the only Almanac?' })
  await dialog.getByText('The table was made anew.').waitFor()
  await dialog.getByText(/^1 post was due meanwhile and may have been published already/).waitFor()
  await dialog.getByRole('radio', { name: 'Publish now' }).check()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByText('Confirm that they publish again.').waitFor()
  await expectNoAxeViolations(page, 'the answer')
  await dialog.getByRole('radio', { name: 'Move to drafts' }).check()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Publishing resumed: 1 late post is now a draft.').waitFor()
  await banner.waitFor({ state: 'hidden' })
  await started.dashboard.seed.until(`/v1/post-sets/${id}`, (set) => set.status === 'DRAFT')
}, 60_000)

test('a hold that was there meanwhile warns of what may have gone out when it is released', async () => {
  await sql`
    insert into holds (id, account_id, social_set_id, reason, held_by_type, held_by_name)
    select gen_random_uuid(), account_id, id, 'Wrong campaign', 'OPERATOR', 'operator' from social_sets limit 1`.execute(
    started.db,
  )
  const { id } = await started.dashboard.seed.postSet({
    ...{ caption: 'Early bread', status: 'SCHEDULED', scheduledAt: new Date().toISOString() },
  })
  await sql`
    insert into held_starts (id, why, ended_at, ended_by, late)
    values (gen_random_uuid(), 'COPY', almanac_now() + interval '1 second', 'operator', 'PARK')`.execute(started.db)
  const page = await started.dashboard.open(CALENDAR, { signedIn: true })
  await page.getByRole('button', { name: /^Resume publishing for/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Resume publishing for/ })
  await dialog.getByText(/^1 post may have been published already/).waitFor()
  await expectNoAxeViolations(page, 'a release that warns')
  await dialog.getByRole('radio', { name: 'Publish now' }).check()
  await dialog.getByRole('button', { name: 'Resume publishing' }).click()
  await dialog.getByText('Confirm that they publish again.').waitFor()
  await dialog.getByRole('radio', { name: 'Move to drafts' }).check()
  await dialog.getByRole('button', { name: 'Resume publishing' }).click()
  await page.getByText('Publishing resumed: 1 late post is now a draft.').waitFor()
  await started.dashboard.seed.until(
    `/v1/post-sets/${id}`,
    (set) => set.status === 'DRAFT' && set.labelsId.length === 1,
  )
}, 60_000)
