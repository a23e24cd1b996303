import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTypeEntry, accountTypes } from '#contract'
import { loadNetworks, missingDefaults, sandboxDefaults } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'

/** What a network wants to be chosen once for an account, because posts have no field for it. */

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const networks = await loadNetworks()
const demanding = accountTypes.flatMap((accountType) => {
  const manifest = networks.serving(accountType)?.manifest
  const missing = manifest ? missingDefaults(manifest, accountType, {}) : []
  return manifest && missing.length > 0 ? [{ accountType, manifest, missing }] : []
})

test('there are networks that demand some', () => {
  expect(demanding.length).toBeGreaterThan(1)
})

test.each(demanding)(
  'publish-26: $accountType: each that is missing is a problem of a scheduled post, and named',
  async (asked) => {
    const { accountType, manifest, missing } = asked
    const socialSetId = await api.newSocialSet({ connected: [accountType] })
    const all = { title: 'Bread', privacy: 'PUBLIC', richCaption: ['Bread'] }
    const own = Object.entries(all).filter(([name]) => name in accountTypeEntry(accountType).fields)
    const posts = [{ accountType, caption: 'Bread', media: [], ...Object.fromEntries(own) }]
    const validate = async (status: string) => {
      const body = { ...api.draft({ posts, status }), socialSetId }
      return (await api.request('POST', '/v1/post-sets/validate', { body })).body
    }
    const reported = async () =>
      (await validate('SCHEDULED')).problems.filter(
        ({ code, path }: { code: string; path: string }) =>
          code === 'post:field_required' && path === 'posts[0].accountType',
      )
    const choose = (defaults: object) =>
      api.db
        .updateTable('connections')
        .set({ defaults: JSON.stringify(defaults) })
        .where('social_set_id', '=', socialSetId)
        .execute()
    await choose({})
    const problems = await reported()
    expect(problems).toHaveLength(missing.length)
    for (const { title } of missing) {
      expect(problems.some(({ message }: { message: string }) => message.includes(`"${title}"`))).toBe(true)
    }
    expect((await validate('DRAFT')).problems).toEqual([])
    await choose(sandboxDefaults(manifest, accountType))
    expect(await reported()).toEqual([])
  },
)
