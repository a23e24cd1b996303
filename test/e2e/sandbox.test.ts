import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import { client } from './client.ts'
import { type Installation, startInstallation } from './installation.ts'

/** The typical flow on the simulators, with permalinks that open, as a new user goes it. */

let files: FileServer
let almanac: Installation
let account: { accountId: string; socialSetId: string }
let api: ReturnType<typeof client>

beforeAll(async () => {
  files = await startFileServer()
  almanac = await startInstallation({ ALMANAC_TRUSTED_FETCH_HOSTS: files.host })
  account = await almanac.command(['accounts', 'create', '--name', 'Brand', '--plan', 'SCALE', '--sandbox'])
  const { key } = await almanac.command<{ key: string }>([
    ...['keys', 'create', '--account', account.accountId, '--name', 'robot'],
    ...['--scopes', 'post-sets:write,post-sets:publish,media:write'],
  ])
  api = client(almanac.url, key)
}, 120_000)

afterAll(async () => {
  await almanac?.stop()
  await files?.close()
})

async function imported(name: string): Promise<string> {
  const upload = await api.post('/v1/media-upload', {
    socialSetId: account.socialSetId,
    url: await files.fixture(name),
  })
  const ready = await api.until(
    `/v1/media-upload/${upload.id}`,
    (body) => !['PENDING', 'PROCESSING'].includes(body.status),
  )
  expect(ready).toMatchObject({ status: 'READY', error: null })
  return ready.mediaLibraryId
}

const now = () => new Date().toISOString()

test('service-07, resources-32, states-07: text, images and video go to both networks at once, and every permalink opens', async () => {
  const [photo, video] = [await imported('photo.jpg'), await imported('video-h264-aac.mp4')]
  const sets = await Promise.all(
    [
      [
        { accountType: 'BLUESKY', caption: 'One photo', media: [{ mediaLibraryId: photo, altText: 'A loaf' }] },
        {
          accountType: 'INSTAGRAM',
          type: 'IMAGE',
          collaborators: [],
          caption: 'One photo',
          media: [{ mediaLibraryId: photo }],
          firstComment: 'First!',
        },
      ],
      [
        { accountType: 'BLUESKY', caption: 'A video', media: [{ mediaLibraryId: video }] },
        {
          accountType: 'INSTAGRAM',
          type: 'REEL',
          collaborators: ['kai'],
          caption: 'A reel',
          media: [{ mediaLibraryId: video }],
        },
      ],
      [
        { accountType: 'BLUESKY', caption: 'Only words', media: [] },
        {
          accountType: 'INSTAGRAM',
          type: 'CAROUSEL',
          collaborators: [],
          caption: 'Two of them',
          media: [{ mediaLibraryId: photo, tags: [{ x: 0.5, y: 0.5, text: 'kai' }] }, { mediaLibraryId: photo }],
        },
      ],
      [{ accountType: 'INSTAGRAM', type: 'STORY', collaborators: [], caption: '', media: [{ mediaLibraryId: photo }] }],
    ].map((posts) =>
      api.post('/v1/post-sets', {
        socialSetId: account.socialSetId,
        scheduledAt: now(),
        status: 'SCHEDULED',
        approval: 'NONE',
        posts,
      }),
    ),
  )
  for (const set of sets) {
    const done = await api.until(`/v1/post-sets/${set.id}`, (body) => body.status === 'PUBLISHED')
    for (const post of done.posts) {
      expect(post.result, JSON.stringify(post)).toMatchObject({ status: 'POSTED' })
      expect(post.result.warnings).toBeUndefined()
      const page = await fetch(post.result.permalink)
      expect(page.status).toBe(200)
      if (post.caption !== '') expect(await page.text()).toContain(post.caption)
    }
  }
  const held = await (await fetch(`${almanac.url}/sandbox/instagram/posts`)).json()
  expect(held).toHaveLength(4)
}, 90_000)

test('resources-13, states-12, states-13, events-02: a set is seen SCHEDULED, PUBLISHING and PUBLISHED', async () => {
  const set = await api.post('/v1/post-sets', {
    socialSetId: account.socialSetId,
    scheduledAt: new Date(Date.now() + 3_000).toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'Slowly [[fault:slow-10s]]', media: [] }],
  })
  const seen = new Set<string>()
  await api.until(`/v1/post-sets/${set.id}`, (body) => {
    seen.add(body.status)
    return body.status === 'PUBLISHED'
  })
  expect([...seen]).toEqual(['SCHEDULED', 'PUBLISHING', 'PUBLISHED'])
}, 60_000)

test('service-22, resources-66, publish-11: a post that the network refuses is reported with its reason, and its sisters are posted', async () => {
  const photo = await imported('photo.jpg')
  const set = await api.post('/v1/post-sets', {
    socialSetId: account.socialSetId,
    scheduledAt: now(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [
      { accountType: 'BLUESKY', caption: 'This one is fine', media: [] },
      {
        accountType: 'INSTAGRAM',
        type: 'IMAGE',
        collaborators: [],
        caption: 'Not this [[fault:media-rejected]]',
        media: [{ mediaLibraryId: photo }],
      },
    ],
  })
  const done = await api.until(`/v1/post-sets/${set.id}`, (body) => body.status === 'PUBLISHED')
  expect(done.posts.map((post: { result: object }) => post.result)).toEqual([
    expect.objectContaining({ status: 'POSTED' }),
    expect.objectContaining({ status: 'FAILED', reason: 'UNKNOWN_MEDIA_ERROR', message: expect.any(String) }),
  ])
}, 60_000)
