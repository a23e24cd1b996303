import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Agent, connectAgent } from '../_util/api/agents.ts'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'

/** What agents are refused, in words that say what to do next. */

let api: Api
let agent: Agent
beforeAll(async () => {
  api = await startApi()
  agent = await connectAgent(api)
})
afterAll(async () => {
  await agent.client.close()
  await api.close()
})

const draft = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  scheduledAt: '2031-05-01T10:00:00Z',
  posts: [BLUESKY_POST],
  ...more,
})
const asRead = ({ id, version, posts }: { id: string; version: number; posts: { id: string }[] }) => ({
  id,
  version,
  postIds: posts.map((post) => post.id),
})

test('what is decided about is what was read: another version is refused with what has changed', async () => {
  const made = await agent.call('create_draft', draft())
  await api.request('PATCH', `/v1/post-sets/${made.id}`, {
    body: {
      scheduledAt: '2031-05-02T10:00:00Z',
      posts: [{ ...BLUESKY_POST, id: made.posts[0].id, caption: 'another' }],
    },
  })
  const { words, more } = await agent.refused('schedule_post_set', asRead(made))
  expect(words).toContain('its version is 2')
  expect(words).toContain('get_post_set')
  expect(more).toMatchObject({
    code: 'post-set:version_conflict',
    changed: {
      since: 1,
      version: 2,
      changes: {
        scheduledAt: { from: '2031-05-01T10:00:00.000Z', to: '2031-05-02T10:00:00.000Z' },
        posts: { changed: [{ accountType: 'BLUESKY', names: ['caption'] }] },
      },
    },
  })
  expect(await agent.call('get_post_set', { id: made.id })).toMatchObject({ status: 'DRAFT', version: 2 })
})

test('and all of its posts', async () => {
  const made = await agent.call('create_draft', draft())
  for (const postIds of [[newId()], [...asRead(made).postIds, newId()]]) {
    const { words } = await agent.refused('schedule_post_set', { ...asRead(made), postIds })
    expect(words).toContain('postIds must be the ids of all posts')
  }
  const { words } = await agent.refused('schedule_post_set', { id: made.id })
  expect(words).toContain('version')
  expect(await agent.call('get_post_set', { id: made.id })).toMatchObject({ status: 'DRAFT' })
})

test('a retry, too', async () => {
  const made = await agent.call('create_draft', draft())
  expect((await agent.refused('retry_post', { ...asRead(made), version: 7 })).more.code).toBe(
    'post-set:version_conflict',
  )
  expect((await agent.refused('retry_post', asRead(made))).more.code).toBe('request:refused')
})

test('a field that a tool does not have is named, so that no tool does what another one is for', async () => {
  const made = await agent.call('create_draft', draft())
  for (const more of [{ status: 'SCHEDULED' }, { approval: 'APPROVED' }]) {
    const [name] = Object.keys(more)
    const changed = await agent.refused('update_post_set', { id: made.id, version: 1, ...more })
    expect(changed.words).toContain(`update_post_set takes no ${name}.`)
    expect((await agent.refused('create_draft', draft(more))).words).toContain(`create_draft takes no ${name}.`)
  }
  expect((await agent.refused('list_brands', { requestId: 'x' })).words).toContain('list_brands takes no')
})

test('what the contract refuses is refused in its words, with its entries', async () => {
  const { words, more } = await agent.refused(
    'create_draft',
    draft({ posts: [{ accountType: 'INSTAGRAM', caption: '', media: [] }] }),
  )
  expect(words).toMatch(/posts\[0\]\.\w+ is required/)
  expect(more.errors.map(({ path }: { path: string }) => path)).toContain('posts[0].collaborators')
  const invalid = await agent.call('create_draft', draft({ posts: [{ ...BLUESKY_POST, caption: 'a'.repeat(301) }] }))
  expect((await agent.refused('schedule_post_set', asRead(invalid))).words).toContain('validate_post_set')
  expect((await agent.refused('get_post_set', { id: newId() })).words).toContain('list_calendar')
  expect(
    (await agent.refused('list_calendar', { socialSetId: api.socialSetId, from: 'soon', to: 'later' })).more.code,
  ).toBe('request:invalid_query')
})

test('a tool that is not there is an error of the protocol', async () => {
  await expect(agent.client.callTool({ name: 'publish_everything', arguments: {} })).rejects.toThrow(/has no tool/)
})
