import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { FUTURE, idsOf, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { aStory, bringOut, expectFourEyes, memberOf, newTeam, TEAMS, type Team, take } from '../_util/api/four-eyes.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'
import { WHOLE } from '../_util/run/whole.ts'

let api: Api
const teams: Team[] = []
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  for (const roles of TEAMS) teams.push(await newTeam(api, roles))
})
afterAll(() => api.close())

const RUNS = WHOLE ? 200 : 12

test('approval-07: whatever people do in whatever order, no one approves what they changed last, and two always get it out', async () => {
  await fc.assert(
    fc.asyncProperty(aStory, async ({ team: nth, rule, creator, steps }) => {
      const team = teams[nth]
      if (!team) throw new Error('There is no such team.')
      await setRule(api, rule, team.socialSetId)
      const writers = team.people.filter(({ role }) => role !== 'reviewer')
      const { person } = memberOf({ ...team, people: writers }, creator)
      const { id } = await reviewsOf(person).ask(api, { socialSetId: team.socialSetId, scheduledAt: FUTURE })
      for (const [at, step] of steps.entries()) {
        await take(api, team, id, step, at)
        await expectFourEyes(api, team, id)
      }
      // What the inbox lists is what can be done.
      for (const { person: reader } of team.people) {
        const { approval, cannotApprove, needsReason } = await reviewsOf(reader).read(id)
        const waits = approval === 'PENDING' && (cannotApprove === null || needsReason)
        const listed = idsOf(await reviewsOf(reader).list('waiting', { size: '100' }))
        expect(listed.includes(id)).toBe(waits)
      }
      await bringOut(api, team, id)
      await expectFourEyes(api, team, id)
      await api.db.deleteFrom('post_sets').where('account_id', '=', team.accountId).execute()
    }),
    { numRuns: RUNS },
  )
}, 120_000)
