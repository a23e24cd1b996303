import { afterEach, expect, test } from 'vitest'
import { answer, lost, reported, type Stage, worldOf } from '../kit/testing.ts'
import { network } from './index.ts'
import { openStage, sample, type Type } from './testing-posts.ts'

let stage: Stage
afterEach(() => stage.close())

const text = 'More at https://example.com (soon) #bread'
const commented = (type: Type) => sample(type, { fields: { options: { firstComment: text } } })
const COMMENT = 'POST /comments'
const paths = () => stage.calls(COMMENT).map(({ call }) => call.replace(/ (\w+)\/.*/, ' $1'))

/** An account that signed in as the operator has set it, in place of the one of the stage. */
async function signIn(type: Type, comments: 'on' | 'off') {
  const context = stage.context({}, { COMMENTS: comments })
  const leaveOut = (url: URL) => {
    if (comments === 'on') return
    const scopes = url.searchParams.get('scope')?.split(' ') ?? []
    url.searchParams.set('scope', scopes.filter((scope) => !scope.endsWith('_feed')).join(' '))
  }
  const outcome = await stage.signIn.as(type).run(context, leaveOut)
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  const [identity] = outcome.accounts
  stage.world = worldOf(stage, identity)
  return identity
}

test.each(['LINKEDIN_PAGE', 'LINKEDIN_PERSONAL'] as const)('a post of %s has a comment as plain text', async (type) => {
  stage = await openStage(type)
  const { followUp, post } = await stage.deliver(commented(type))
  expect(followUp).toMatchObject({ kind: 'made' })
  const { externalId: actor } = stage.world.backend.account
  const object = post.kind === 'made' ? post.providerId : null
  expect(stage.calls(COMMENT).at(-1)?.json).toEqual({ actor, object, message: { text } })
  expect(await stage.posts()).toMatchObject([{ comments: [text] }])
})

test('a page of the older permission comments by the older API, once', async () => {
  stage = await openStage('LINKEDIN_PAGE')
  expect(await signIn('LINKEDIN_PAGE', 'off')).toMatchObject({ facts: { comments: false } })
  const { followUp } = await stage.deliver(commented('LINKEDIN_PAGE'))
  expect(followUp).toMatchObject({ kind: 'made' })
  expect(paths().filter((path) => path === 'POST v2')).toHaveLength(1)
  expect(await stage.posts()).toMatchObject([{ comments: [text] }])
})

test('where both refuse, the post stays, the connection too, and a warning says what to do', async () => {
  stage = await openStage('LINKEDIN_PAGE')
  const denied = answer(403, { status: 403, code: 'ACCESS_DENIED', message: 'Not enough permissions' })
  const { result, log } = await stage.deliver(commented('LINKEDIN_PAGE'), stage.on(COMMENT, denied, { times: 99 }))
  expect(result).toMatchObject({
    status: 'POSTED',
    warnings: [{ message: expect.stringContaining('ALMANAC_LINKEDIN_COMMENTS=on') }],
  })
  expect(log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
})

test('a lost answer of a person, whose comments cannot be read, is not sent again', async () => {
  stage = await openStage('LINKEDIN_PERSONAL')
  const { result } = await stage.deliver(
    commented('LINKEDIN_PERSONAL'),
    stage.on(COMMENT, async ({ send }) => ((await send()).kind === 'answer' ? lost : null), { times: 99 }),
  )
  expect(result.warnings?.[0]?.message).toContain('may be there')
  expect((await stage.posts())[0]?.comments?.length).toBeLessThanOrEqual(1)
})

test('a sign-in keeps whether comments were allowed', async () => {
  stage = await openStage('LINKEDIN_PERSONAL')
  expect(await signIn('LINKEDIN_PERSONAL', 'on')).toMatchObject({ facts: { comments: true } })
  expect(await signIn('LINKEDIN_PERSONAL', 'off')).toMatchObject({ facts: { comments: false } })
})

test('rules know its length, and that people need the permission', async () => {
  stage = await openStage('LINKEDIN_PERSONAL')
  const check = (accountType: Type, firstComment: string, comments: boolean) => {
    const post = { accountType, caption: 'Bread', fields: { options: { firstComment } }, media: [] }
    return reported(network.checkPost(post, { comments }))
  }
  expect(check('LINKEDIN_PAGE', 'x'.repeat(1_250), false)).toEqual([])
  expect(check('LINKEDIN_PERSONAL', 'x', true)).toEqual([])
  expect(check('LINKEDIN_PERSONAL', 'x', false)).toEqual(['options.firstComment field_invalid'])
  expect(check('LINKEDIN_PAGE', 'x'.repeat(1_251), true)).toEqual(['options.firstComment field_too_long'])
})
