import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileServer, readFixture, startFileServer } from '../_util/networks/file-server.ts'
import { type Pds, startPds } from '../_util/networks/pds.ts'
import { client } from './client.ts'
import { type Installation, startInstallation } from './installation.ts'

/**
 * The whole way of a post by plain HTTP and the operator's command, to a real Bluesky server and back: what the server
 * holds is what was asked for, the bytes of the image included.
 */

let pds: Pds
let files: FileServer
let almanac: Installation

beforeAll(async () => {
  pds = await startPds()
  files = await startFileServer()
  almanac = await startInstallation({
    ALMANAC_TRUSTED_FETCH_HOSTS: [files.host, new URL(pds.url).host].join(','),
    ALMANAC_BLUESKY_PLC_URL: pds.plcUrl,
  })
}, 120_000)

afterAll(async () => {
  await almanac?.stop()
  await files?.close()
  await pds?.stop()
})

test('service-07, service-21, service-28, resources-70, media-05: from a key to a post on a real server, and back', async () => {
  const account = await almanac.command<{ accountId: string; socialSetId: string }>([
    ...['accounts', 'create', '--name', 'Bakery', '--plan', 'PRO', '--timezone', 'Europe/Berlin'],
  ])
  const { key } = await almanac.command<{ key: string }>([
    ...['keys', 'create', '--account', account.accountId, '--name', 'robot'],
    ...['--scopes', 'post-sets:write,post-sets:publish,media:write'],
  ])
  const person = await pds.createAccount('baker')
  const friend = await pds.createAccount('miller')
  const connected = await almanac.command(
    [
      ...['connections', 'add', '--account', account.accountId, '--social-set', account.socialSetId],
      ...['--network', 'bluesky', '--service', pds.url, '--identifier', person.handle],
    ],
    { input: `${person.appPassword}\n` },
  )
  expect(JSON.stringify(connected)).not.toContain(person.appPassword)

  const api = client(almanac.url, key)
  const socialSets = await api.get('/v1/social-sets')
  expect(socialSets.data).toMatchObject([
    {
      id: account.socialSetId,
      timezone: 'Europe/Berlin',
      accounts: [{ type: 'BLUESKY', status: 'CONNECTED', username: person.handle }],
    },
  ])

  const plain = await readFile(join(import.meta.dirname, '../../src/sandbox/samples/photo.jpg'))
  const plainUrl = files.on('/plain.jpg', (_, response) => response.end(plain))
  const [loaf, located] = await Promise.all(
    [plainUrl, await files.fixture('photo.jpg')].map(async (url) => {
      const upload = await api.post('/v1/media-upload', { socialSetId: account.socialSetId, url })
      const ended = await api.until(`/v1/media-upload/${upload.id}`, (body) =>
        ['READY', 'FAILED'].includes(body.status),
      )
      expect(ended).toMatchObject({ status: 'READY', error: null })
      return ended.mediaLibraryId
    }),
  )

  const caption = `Fresh bread with @${friend.handle} #bakery https://example.com/bread 🥖 ${Date.now()}`
  const created = await api.post('/v1/post-sets', {
    socialSetId: account.socialSetId,
    scheduledAt: new Date(Date.now() + 2_000).toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [
      {
        accountType: 'BLUESKY',
        caption,
        media: [
          { mediaLibraryId: loaf, altText: 'A loaf' },
          { mediaLibraryId: located, altText: 'Where it was baked' },
        ],
      },
    ],
  })
  expect(created).toMatchObject({ status: 'SCHEDULED' })
  expect(await api.get(`/v1/post-sets/${created.id}`)).toEqual(created)

  const done = await api.until(`/v1/post-sets/${created.id}`, (body) => body.status === 'PUBLISHED')
  expect(done.posts[0].result).toMatchObject({
    status: 'POSTED',
    providerId: expect.stringMatching(/^at:\/\/did:plc:/),
  })

  const posts = await pds.posts(person.did)
  expect(posts).toHaveLength(1)
  const [post] = posts
  expect(post?.uri).toBe(done.posts[0].result.providerId)
  expect(post?.value).toMatchObject({
    text: caption,
    embed: { images: [{ alt: 'A loaf' }, { alt: 'Where it was baked' }] },
  })
  const facets = (post?.value.facets ?? []).map((facet) => [
    Buffer.from(caption).subarray(facet.index.byteStart, facet.index.byteEnd).toString(),
    facet.features[0],
  ])
  expect(facets).toEqual(
    expect.arrayContaining([
      [`@${friend.handle}`, expect.objectContaining({ did: friend.did })],
      ['#bakery', expect.objectContaining({ tag: 'bakery' })],
      ['https://example.com/bread', expect.objectContaining({ uri: 'https://example.com/bread' })],
    ]),
  )
  const blobs = await Promise.all(
    (post?.value.embed?.images ?? []).map((image) => pds.blob(person.did, image.image.ref.$link)),
  )
  expect(blobs[0]?.equals(plain)).toBe(true)
  // A file that reveals where it was taken goes out as a fresh one.
  expect((await readFixture('photo.jpg')).includes('Exif')).toBe(true)
  expect(blobs[1]?.includes('Exif')).toBe(false)

  // Without media the first link has a card, made of what its page says.
  const picture = files.on('/card.jpg', (_, response) => response.end(plain))
  const head = `<meta property="og:title" content="Our bread"><meta property="og:image" content="${picture}">`
  const linked = files.on('/bread', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<head>${head}</head>`),
  )
  const words = await api.post('/v1/post-sets', {
    socialSetId: account.socialSetId,
    scheduledAt: new Date().toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: `Look: ${linked}`, media: [], options: { languageCode: 'en' } }],
  })
  await api.until(`/v1/post-sets/${words.id}`, (body) => body.status === 'PUBLISHED')
  const shown = (await pds.posts(person.did))[1]?.value
  expect(shown).toMatchObject({
    langs: ['en'],
    embed: { $type: 'app.bsky.embed.external', external: { uri: linked, title: 'Our bread', description: '' } },
  })
  const thumb = await pds.blob(person.did, shown?.embed?.external?.thumb?.ref.$link ?? '')
  expect(thumb.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
}, 90_000)
