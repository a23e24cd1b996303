import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { youtube } from '@googleapis/youtube'
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { both, type Stage } from '../kit/testing.ts'
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
  const { endpoints, settings } = stage.world.backend
  const oauth2AuthBaseUrl = `${endpoints.accounts}/o/oauth2/v2/auth`
  auth = new OAuth2Client({
    clientId: 'sandbox-client',
    clientSecret: settings?.CLIENT_SECRET ?? '',
    redirectUri,
    endpoints: { oauth2AuthBaseUrl, oauth2TokenUrl: `${endpoints.token}/token` },
  })
})
afterAll(() => stage.close())

test("the vendor's client asks for consent with the same address, signs in, refreshes and reads", async () => {
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
  const { tokens } = await auth.getToken({ code, codeVerifier })
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: SCOPES.join(' '), refresh_token: expect.any(String) })
  auth.setCredentials(tokens)
  const { credentials } = await auth.refreshAccessToken()
  expect(credentials.access_token).not.toBe(tokens.access_token)

  const api = youtube({ version: 'v3', auth })
  // Given with each call: for the client as a whole it takes no path, and does not hold for uploads.
  const at = { rootUrl: `${stage.world.backend.endpoints.api}/` }
  const channels = await api.channels.list({ part: ['id', 'contentDetails'], mine: true }, at)
  const playlistId = channels.data.items?.[0]?.contentDetails?.relatedPlaylists?.uploads ?? ''
  expect(playlistId).toMatch(/^UU.{22}$/)
  expect((await api.videos.list({ part: ['status'], id: ['other'] }, at)).data.pageInfo?.totalResults).toBe(0)
  const categories = await api.videoCategories.list({ part: ['snippet'], regionCode: 'DE' }, at)
  expect(categories.data.items).toContainEqual(expect.objectContaining({ id: '22' }))
  const data = { error: { errors: [{ reason: 'playlistNotFound' }] } }
  const uploads = api.playlistItems.list({ part: ['contentDetails'], playlistId }, at)
  await expect(uploads).rejects.toMatchObject({ response: { status: 404, data } })
})

/** Calls by their paths: what their parameters and answers are called. */
const EXPECTED: Readonly<Record<string, [parameters: string, answer: string]>> = {
  'GET channels': ['Channels$List', 'ChannelListResponse'],
  'GET playlistItems': ['Playlistitems$List', 'PlaylistItemListResponse'],
  'GET videoCategories': ['Videocategories$List', 'VideoCategoryListResponse'],
  'GET videos': ['Videos$List', 'VideoListResponse'],
  'POST thumbnails/set': ['Thumbnails$Set', 'ThumbnailSetResponse'],
  'POST videos': ['Videos$Insert', 'Video'],
  'PUT videos': ['Videos$Insert', 'Video'],
}

type Members = Readonly<Record<string, string>>
const schemas = readSchemas()

test("the vendor's types know every name that is sent and answered", async () => {
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
    const expected = EXPECTED[call]
    if (!expected || result.kind === 'failed' || result.status >= 300) return []
    seen.add(call)
    const [parameters, schema] = [`Params$Resource$${expected[0]}`, `Schema$${expected[1]}`]
    const known = [...Object.keys(schemas[parameters] ?? {}), 'uploadType', 'upload_id']
    const asked = [...query.keys()].filter((name) => !known.includes(name))
    return [...asked, ...strangers(schema, json), ...strangers(schema, result.json ?? {})]
  })
  expect(unknown).toEqual([])
  expect([...seen].sort()).toEqual(Object.keys(EXPECTED).sort())
  const other = { snippet: { headline: 'x' }, privacy: 'public' }
  expect(strangers('Schema$Video', other)).toEqual(['Schema$VideoSnippet.headline', 'Schema$Video.privacy'])
})

/** Names inside a value that its type does not have. */
function strangers(schema: string, value: unknown): string[] {
  const members = schemas[schema]
  if (!members) throw new Error(`The client has no type ${schema}.`)
  return Object.entries(value as object).flatMap(([name, inner]): string[] => {
    const type = members[name]
    if (type === undefined) return [`${schema}.${name}`]
    const next = /^(Schema\$\w+)/.exec(type)?.[1]
    return next === undefined ? [] : [inner].flat().flatMap((each) => strangers(next, each))
  })
}

/** Members of the interfaces that the client declares, with their types. */
function readSchemas(): Readonly<Record<string, Members>> {
  const types = join(createRequire(import.meta.url).resolve('@googleapis/youtube'), '../v3.d.ts')
  const text = readFileSync(types, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const found = text.matchAll(/interface ([\w$]+)[^{]*\{([\s\S]*?)\n {4}\}/g)
  const member = /^ {8}(\w+|'[^']+')\??: (.+?)[;{]?$/gm
  const membersIn = (body: string): Members =>
    Object.fromEntries([...body.matchAll(member)].map(([, key, type]) => [key, type]))
  return Object.fromEntries([...found].map(([, name, body = '']) => [name, membersIn(body)]))
}
