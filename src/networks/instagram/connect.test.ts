import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../kit/testing.ts'
import { openStage } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('professional accounts are found through the Pages they are linked to, known by their own id', async () => {
  expect(await stage.signIn.accounts()).toMatchObject([
    {
      externalId: '17841499999900001',
      name: 'Pretend Bakery',
      username: 'pretend_bakery',
      profileUrl: 'https://www.instagram.com/pretend_bakery',
      expiresAt: expect.any(Date),
      credentials: { accessToken: expect.any(String), userToken: expect.any(String) },
    },
    // Whoever signs in has no task by which one creates content on its Page.
    { externalId: '17841499999900003', username: 'somebody_else', warning: expect.stringContaining('create content') },
    // Its Page is of the new experience.
    { externalId: '17841499999900005', username: 'pretend_tea_room' },
    // Its Page is reached through a business alone.
    { externalId: '17841499999900004', username: 'pretend_kiosk' },
  ])
})

test("the Page's token reaches the account", async () => {
  const [{ externalId, credentials }] = await stage.signIn.accounts()
  const token = credentials.accessToken ?? ''
  const read = await stage.api(`GET ${externalId}?fields=username`, undefined, { token })
  expect(read.json).toEqual({ id: externalId, username: 'pretend_bakery' })
})

test('comments and businesses may be declined', async () => {
  const declined = (url: URL) => {
    url.search = url.search.replace(/(%2C|,)(instagram_manage_comments|business_management)/g, '')
  }
  expect(await stage.signIn.run(undefined, declined)).toMatchObject({
    kind: 'accounts',
    accounts: [{ username: 'pretend_bakery' }, { username: 'somebody_else' }, { username: 'pretend_tea_room' }],
  })
})

test('when no Page has a professional account, the words say what to do', async () => {
  const context = stage.context({
    async intercept({ request, send }) {
      const result = await send()
      if (result.kind !== 'answer' || !/accounts|owned_pages/.test(request.url)) return result
      const text = result.text.replaceAll('instagram_business_account', 'other')
      return { ...result, text, json: JSON.parse(text) }
    },
  })
  expect(await stage.signIn.run(context)).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/Pretend Bakery has no professional account linked.*business or creator account/),
  })
})
