import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { youtube, type youtube_v3 } from '@googleapis/youtube'
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { both, fixture, type Stage } from '../kit/testing.ts'
import { QUANTUM } from './api.ts'
import { SCOPES } from './connect.ts'
import { network } from './index.ts'
import { gone, losesAnswer, openStage, sample } from './testing.ts'

/*
 * The vendor's own client (npm: @googleapis/youtube with google-auth-library) drives the simulator, and its types say
 * which names there are.
 */

const redirectUri = 'https://almanac.example/connect/youtube/callback'

let stage: Stage
let auth: OAuth2Client
beforeAll(async () => {
  stage = await openStage()
  const { accessToken, refreshToken } = stage.world.backend.credentials
  auth = createAuth()
  auth.setCredentials({ access_token: accessToken ?? null, refresh_token: refreshToken ?? null })
})
afterAll(() => stage.close())

function createAuth(): OAuth2Client {
  const { endpoints, settings } = stage.world.backend
  return new OAuth2Client({
    clientId: 'sandbox-client',
    clientSecret: settings?.CLIENT_SECRET ?? '',
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: `${endpoints.accounts}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${endpoints.token}/token`,
    },
  })
}

describe("the vendor's client, on the simulator,", () => {
  test('asks for consent with the same address, and gets and refreshes a token', async () => {
    const { codeVerifier, codeChallenge = '' } = await auth.generateCodeVerifierAsync()
    const theirs = auth.generateAuthUrl({
      access_type: 'offline',
      prompt: 'consent',
      scope: [...SCOPES],
      state: 'state-1',
      code_challenge: codeChallenge,
      code_challenge_method: CodeChallengeMethod.S256,
    })
    const ask = { accountType: 'YOUTUBE', state: 'state-1', redirectUri, codeChallenge } as const
    const ours = network.connect.oauth?.authorizeUrl(stage.context(), ask) ?? ''
    const parts = (url: string) => [new URL(url).pathname, Object.fromEntries(new URL(url).searchParams)]
    expect(parts(ours)).toEqual(parts(theirs))

    const back = await fetch(`${theirs}&decision=allow`, { redirect: 'manual' })
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const fresh = createAuth()
    const { tokens } = await fresh.getToken({ code, codeVerifier })
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: SCOPES.join(' '), refresh_token: expect.any(String) })
    fresh.setCredentials(tokens)
    const { credentials } = await fresh.refreshAccessToken()
    expect(credentials.access_token).not.toBe(tokens.access_token)
  })

  test('uploads a video in pieces, sets its thumbnail and reads it back', async () => {
    const { backend } = stage.world
    const api = youtube({ version: 'v3', auth })
    // Given with each call: for the client as a whole it takes no path, and does not hold for uploads.
    const at = { rootUrl: `${backend.endpoints.api}/` }
    const total = QUANTUM + 1000
    const begin = (title: string) =>
      auth.request({
        method: 'POST',
        url: `${at.rootUrl}upload/youtube/v3/videos`,
        params: { uploadType: 'resumable', part: 'snippet,status' },
        headers: { 'x-upload-content-length': String(total), 'x-upload-content-type': 'video/mp4' },
        data: { snippet: { title, description: 'Bread', categoryId: '26' }, status: { privacyStatus: 'unlisted' } },
      })
    await expect(begin('a < b')).rejects.toMatchObject({
      response: { status: 400, data: { error: { errors: [{ reason: 'invalidTitle' }] } } },
    })
    const url = (await begin('In pieces')).headers.get('location') ?? ''
    const put = async (range: string, bytes: number) => {
      const headers = { 'content-range': `bytes ${range}/${total}` }
      const request = { method: 'PUT', url, headers, body: Buffer.alloc(bytes), validateStatus: () => true } as const
      const { status, headers: answered, data } = await auth.request<youtube_v3.Schema$Video>(request)
      return { status, range: answered.get('range'), data }
    }
    expect(await put('*', 0)).toMatchObject({ status: 308, range: null })
    expect(await put(`0-${QUANTUM - 1}`, QUANTUM)).toMatchObject({ status: 308, range: `bytes=0-${QUANTUM - 1}` })
    const last = await put(`${QUANTUM}-${total - 1}`, 1000)
    const uploaded = { snippet: { title: 'In pieces' }, status: { uploadStatus: 'uploaded' } }
    expect(last).toMatchObject({ status: 201, data: uploaded })
    const id = last.data.id ?? ''
    expect((await put('*', 0)).data.id).toBe(id)

    const media = { mimeType: 'image/jpeg', body: Readable.from([await fixture('photo.jpg')]) }
    expect((await api.thumbnails.set({ videoId: id, media }, at)).data.items).toHaveLength(1)
    const ask = () => api.videos.list({ part: ['snippet', 'status', 'processingDetails'], id: [id] }, at)
    expect((await ask()).data.items).toBeUndefined()
    stage.pass(91_000)
    expect((await ask()).data.items?.[0]).toMatchObject({
      id,
      snippet: { title: 'In pieces', categoryId: '26' },
      status: { uploadStatus: 'processed', privacyStatus: 'unlisted' },
      processingDetails: { processingStatus: 'succeeded' },
    })
    const { data: channels } = await api.channels.list({ part: ['contentDetails', 'status'], mine: true }, at)
    const [channel] = channels.items ?? []
    expect(channel).toMatchObject({ id: backend.account.externalId, status: { longUploadsStatus: 'allowed' } })
    const playlistId = channel?.contentDetails?.relatedPlaylists?.uploads ?? ''
    const { data: uploads } = await api.playlistItems.list({ part: ['snippet', 'contentDetails'], playlistId }, at)
    expect(uploads.items).toMatchObject([{ snippet: { title: 'In pieces' }, contentDetails: { videoId: id } }])
    expect(await stage.posts()).toMatchObject([{ id, text: 'Bread', media: 2 }])
  })
})

/** Calls by their paths: parameters and answer. */
const EXPECTED: Readonly<Record<string, [parameters: string, answer: string]>> = {
  'GET channels': ['Params$Resource$Channels$List', 'Schema$ChannelListResponse'],
  'GET playlistItems': ['Params$Resource$Playlistitems$List', 'Schema$PlaylistItemListResponse'],
  'GET videoCategories': ['Params$Resource$Videocategories$List', 'Schema$VideoCategoryListResponse'],
  'GET videos': ['Params$Resource$Videos$List', 'Schema$VideoListResponse'],
  'POST thumbnails/set': ['Params$Resource$Thumbnails$Set', 'Schema$ThumbnailSetResponse'],
  'POST videos': ['Params$Resource$Videos$Insert', 'Schema$Video'],
  'PUT videos': ['Params$Resource$Videos$Insert', 'Schema$Video'],
}

test("the vendor's types know every name that is sent and answered", async () => {
  const schemas = readSchemas()
  const seen = new Set<string>()
  const before = stage.exchanged.length
  // The session is over, so that the uploads of the channel are read too.
  const media = [{ file: 'video-h264-aac.mp4' }, { file: 'photo.jpg' }]
  await stage.deliver(sample({ media }), both(losesAnswer(), gone()))
  await stage.deliver(sample())
  const { account, credentials } = stage.world.backend
  const identity = { externalId: account.externalId, credentials, accountType: 'YOUTUBE' } as const
  await network.connect.options?.(stage.context(), identity)
  const unknown = stage.exchanged.slice(before).flatMap(({ request, result, query, json }) => {
    const call = `${request.method} ${/\/youtube\/v3\/([\w/]+)$/.exec(new URL(request.url).pathname)?.[1]}`
    const [parameters = '', schema = ''] = EXPECTED[call] ?? []
    if (schema === '' || result.kind === 'failed' || result.status >= 300) return []
    seen.add(call)
    const known = [...Object.keys(schemas[parameters] ?? {}), 'uploadType', 'upload_id']
    const answered = result.json === undefined ? [] : strangers(schemas, schema, result.json)
    return [
      ...[...query.keys()].filter((name) => !known.includes(name)),
      ...strangers(schemas, schema, json),
      ...answered,
    ]
  })
  expect(unknown).toEqual([])
  expect([...seen].sort()).toEqual(Object.keys(EXPECTED).sort())
  const other = { snippet: { headline: 'x' }, privacy: 'public' }
  expect(strangers(schemas, 'Schema$Video', other)).toEqual(['Schema$VideoSnippet.headline', 'Schema$Video.privacy'])
})

type Schemas = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Names inside a value that its type does not have. */
function strangers(schemas: Schemas, schema: string, value: unknown): string[] {
  const members = schemas[schema]
  if (!members) throw new Error(`The client has no type ${schema}.`)
  return Object.entries(value as object).flatMap(([name, inner]): string[] => {
    const type = members[name]
    if (type === undefined) return [`${schema}.${name}`]
    const next = /^(Schema\$\w+)/.exec(type)?.[1]
    if (next === undefined) return []
    return [inner].flat().flatMap((each) => strangers(schemas, next, each))
  })
}

/** Members of the interfaces that the client declares, with their types. */
function readSchemas(): Schemas {
  const types = join(createRequire(import.meta.url).resolve('@googleapis/youtube'), '../v3.d.ts')
  const text = readFileSync(types, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const member = /^ {8}(\w+|'[^']+')\??: (.+?)[;{]?$/gm
  return Object.fromEntries(
    [...text.matchAll(/interface ([\w$]+)[^{]*\{([\s\S]*?)\n {4}\}/g)].map(([, name, body = '']) => [
      name,
      Object.fromEntries([...body.matchAll(member)].map(([, key, type]) => [key, type])),
    ]),
  )
}
