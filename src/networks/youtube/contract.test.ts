import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { youtube, type youtube_v3 } from '@googleapis/youtube'
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { both, fixture, lost, type Stage } from '../kit/testing.ts'
import { SCOPES } from './connect.ts'
import { videoResource } from './fields.ts'
import { network } from './index.ts'
import { QUANTUM } from './session.ts'
import { answers, gone, openStage, sample } from './testing-posts.ts'

/*
 * The vendor's own client (npm: @googleapis/youtube with google-auth-library) drives the pretend network, and its types
 * say which names there are.
 */

const file = await fixture('video-short.mp4')
const image = await fixture('photo.jpg')
const redirectUri = 'https://almanac.example/connect/youtube/callback'

let stage: Stage
let auth: OAuth2Client
let api: youtube_v3.Youtube
let at: { rootUrl: string }

beforeAll(async () => {
  stage = await openStage({ listingMs: 0 })
})
afterAll(() => stage.close())
beforeEach(() => {
  const { accessToken, refreshToken } = stage.world.backend.credentials
  auth = createAuth()
  auth.setCredentials({ access_token: accessToken ?? null, refresh_token: refreshToken ?? null })
  api = youtube({ version: 'v3', auth })
  // Given with each call: for the client as a whole it takes no path, and does not hold for uploads.
  at = { rootUrl: `${stage.world.backend.endpoints.api}/` }
})

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

const insert = (snippet: youtube_v3.Schema$VideoSnippet) =>
  api.videos.insert(
    {
      part: ['snippet', 'status'],
      requestBody: { snippet, status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false } },
      media: { mimeType: 'video/mp4', body: Readable.from([file]) },
    },
    at,
  )

describe("the vendor's client, on the pretend network,", () => {
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
    expect(createHash('sha256').update(codeVerifier).digest('base64url')).toBe(codeChallenge)
  })

  test('uploads a video in pieces', async () => {
    const total = QUANTUM + 1000
    const bytes = Buffer.concat([file, Buffer.alloc(total - file.length)])
    const begun = await auth.request({
      method: 'POST',
      url: `${stage.world.backend.endpoints.api}/upload/youtube/v3/videos`,
      params: { uploadType: 'resumable', part: 'snippet,status' },
      headers: { 'x-upload-content-length': String(total), 'x-upload-content-type': 'video/mp4' },
      data: { snippet: { title: 'In pieces' }, status: { privacyStatus: 'private' } },
    })
    const session = begun.headers.get('location') ?? ''
    const put = (range: string, body: Buffer) =>
      auth.request<youtube_v3.Schema$Video>({
        method: 'PUT',
        url: session,
        headers: { 'content-range': `bytes ${range}/${total}` },
        body,
        validateStatus: () => true,
      })
    expect((await put('*', Buffer.alloc(0))).status).toBe(308)
    const piece = await put(`0-${QUANTUM - 1}`, bytes.subarray(0, QUANTUM))
    expect([piece.status, piece.headers.get('range')]).toEqual([308, `bytes=0-${QUANTUM - 1}`])
    const last = await put(`${QUANTUM}-${total - 1}`, bytes.subarray(QUANTUM))
    expect([last.status, last.data.snippet?.title, last.data.status?.uploadStatus]).toEqual([
      201,
      'In pieces',
      'uploaded',
    ])
    expect((await put('*', Buffer.alloc(0))).data.id).toBe(last.data.id)
  })

  test('uploads a video at once, sets its thumbnail and reads it back', async () => {
    const { data: video } = await insert({ title: 'At once', description: 'Bread', categoryId: '26' })
    const id = video.id ?? ''
    const { data: set } = await api.thumbnails.set(
      { videoId: id, media: { mimeType: 'image/jpeg', body: Readable.from([image]) } },
      at,
    )
    expect(set.items).toHaveLength(1)

    const ask = () => api.videos.list({ part: ['snippet', 'status', 'processingDetails'], id: [id] }, at)
    expect((await ask()).data.items).toBeUndefined()
    expect((await ask()).data.items?.[0]).toMatchObject({
      id,
      snippet: { title: 'At once', categoryId: '26' },
      status: { uploadStatus: 'uploaded', privacyStatus: 'unlisted' },
      processingDetails: { processingStatus: 'processing' },
    })
    stage.pass(5_000)
    expect((await ask()).data.items?.[0]?.status?.uploadStatus).toBe('processed')

    const { data: channels } = await api.channels.list(
      { part: ['snippet', 'contentDetails', 'status'], mine: true },
      at,
    )
    const [channel] = channels.items ?? []
    expect(channel).toMatchObject({
      id: stage.world.backend.account.externalId,
      status: { longUploadsStatus: 'allowed' },
    })
    const playlistId = channel?.contentDetails?.relatedPlaylists?.uploads ?? ''
    const { data: uploads } = await api.playlistItems.list({ part: ['snippet', 'contentDetails'], playlistId }, at)
    expect(uploads.items?.[0]).toMatchObject({ snippet: { title: 'At once' }, contentDetails: { videoId: id } })
    const held = await stage.posts()
    expect(held.find((post) => post.id === id)).toMatchObject({ text: 'Bread', media: 2 })
  })

  test('is told why a title is refused', async () => {
    await expect(insert({ title: 'a < b' })).rejects.toMatchObject({
      status: 400,
      response: { data: { error: { errors: [{ reason: 'invalidTitle' }] } } },
    })
  })
})

describe("the vendor's types", () => {
  const schemas = readSchemas()

  test('know the video as it is sent', () => {
    const { caption, fields, accountType } = sample()
    const post = { caption, fields: fields ?? {}, accountType, media: [] }
    // Compiled against the type of the client.
    const video: youtube_v3.Schema$Video = videoResource(post, { category: '22', madeForKids: false })
    expect(strangers('Schema$Video', video)).toEqual([])
    expect(strangers('Schema$Video', { snippet: { headline: 'x' }, privacy: 'public' })).toEqual([
      'Schema$Video.privacy',
      'Schema$VideoSnippet.headline',
    ])
  })

  test('know every parameter that is sent and every name that is answered', async () => {
    const seen: string[] = []
    const unknown: string[] = []
    const look = (request: HttpRequest, result: HttpResult) => {
      const { pathname, searchParams } = new URL(request.url)
      const kind = `${request.method} ${/\/youtube\/v3\/([\w/]+)$/.exec(pathname)?.[1]}`
      const expected = EXPECTED[kind]
      if (!expected || result.kind === 'failed' || result.status >= 300) return
      seen.push(kind)
      const [parameters, schema] = expected
      const known = [...Object.keys(schemas[parameters] ?? {}), 'uploadType', 'upload_id']
      unknown.push(...[...searchParams.keys()].filter((name) => !known.includes(name)))
      if (result.json !== undefined) unknown.push(...strangers(schema, result.json))
    }
    const before = stage.exchanged.length
    const media = [{ file: 'video-h264-aac.mp4' }, { file: 'photo.jpg' }]
    // The session is over, so that the uploads of the channel are read too.
    const unanswered = answers('publish', 'piece', lost, { reached: true })
    await stage.deliver(sample({ media }), both(unanswered, gone()))
    await stage.deliver(sample())
    const { account, credentials } = stage.world.backend
    const identity = { externalId: account.externalId, credentials, accountType: 'YOUTUBE' } as const
    await network.connect.options?.(stage.context(), identity)
    for (const { request, result } of stage.exchanged.slice(before)) look(request, result)
    expect(unknown).toEqual([])
    expect([...new Set(seen)].sort()).toEqual(Object.keys(EXPECTED).sort())
  })

  /** Calls by their paths: parameters and answer. */
  const EXPECTED: Record<string, [string, string]> = {
    'GET channels': ['Params$Resource$Channels$List', 'Schema$ChannelListResponse'],
    'GET playlistItems': ['Params$Resource$Playlistitems$List', 'Schema$PlaylistItemListResponse'],
    'GET videoCategories': ['Params$Resource$Videocategories$List', 'Schema$VideoCategoryListResponse'],
    'GET videos': ['Params$Resource$Videos$List', 'Schema$VideoListResponse'],
    'POST thumbnails/set': ['Params$Resource$Thumbnails$Set', 'Schema$ThumbnailSetResponse'],
    'POST videos': ['Params$Resource$Videos$Insert', 'Schema$Video'],
    'PUT videos': ['Params$Resource$Videos$Insert', 'Schema$Video'],
  }

  /** Names inside a value that its type does not have. */
  function strangers(schema: string, value: unknown): string[] {
    const members = schemas[schema]
    if (!members) throw new Error(`The client has no type ${schema}.`)
    const found = Object.entries(value as object).flatMap(([name, inner]): string[] => {
      const type = members[name]
      if (type === undefined) return [`${schema}.${name}`]
      const next = /^(Schema\$\w+)/.exec(type)?.[1]
      if (next === undefined) return []
      return (Array.isArray(inner) ? inner : [inner]).flatMap((each) => strangers(next, each))
    })
    return found.sort()
  }

  /** Members of the interfaces that the client declares, with their types. */
  function readSchemas(): Record<string, Record<string, string>> {
    const types = join(createRequire(import.meta.url).resolve('@googleapis/youtube'), '../v3.d.ts')
    const text = readFileSync(types, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    const found = [...text.matchAll(/interface ([\w$]+)[^{]*\{([\s\S]*?)\n {4}\}/g)].map(
      ([, name = '', body = '']): [string, Record<string, string>] => [
        name,
        Object.fromEntries(
          [...body.matchAll(/^ {8}(\w+|'[^']+')\??: (.+?)[;{]?$/gm)].map(([, key, type]) => [key, type]),
        ),
      ],
    )
    return Object.fromEntries(found)
  }
})
