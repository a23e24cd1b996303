import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { youtube } from '@googleapis/youtube'
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compareWith, type Operation } from '../conformance/contracts.ts'
import { both, type Json, lost, openStage as openAnyStage } from '../kit/testing.ts'
import { COMMENT, SCOPES as NEEDED } from './connect.ts'
import { network } from './index.ts'
import { gone, losesAnswer, openStage, sample } from './testing.ts'

const SCOPES = [...NEEDED, COMMENT]

/*
 * The vendor's own client (npm: @googleapis/youtube with google-auth-library) drives the simulator, and its types say
 * which names there are.
 */

const redirectUri = 'https://almanac.example/connect/youtube/callback'

test("the vendor's client asks for consent with the same address, signs in, refreshes and reads", async () => {
  const stage = await openStage()
  onTestFinished(() => stage.close())
  const { endpoints, settings } = stage.world.backend
  const auth = new OAuth2Client({
    clientId: 'sandbox-client',
    clientSecret: settings?.CLIENT_SECRET ?? '',
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: `${endpoints.accounts}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${endpoints.token}/token`,
    },
  })
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
  const at = { rootUrl: `${endpoints.api}/` }
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

test("the vendor's client makes and lists the comment as the connector does, and reads why one is refused", async () => {
  const stage = await openStage()
  onTestFinished(() => stage.close())
  const { post } = await stage.deliver(sample({ fields: { options: { firstComment: 'Ours' } } }))
  const videoId = post.kind === 'made' ? (post.providerId ?? '') : ''
  const [ours] = stage.calls('POST commentThreads')
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: stage.world.backend.credentials.accessToken ?? '' })
  const { commentThreads } = youtube({ version: 'v3', auth })
  const at = { rootUrl: `${stage.world.backend.endpoints.api}/` }
  const insert = (id: string, textOriginal: string) => {
    const requestBody = { snippet: { videoId: id, topLevelComment: { snippet: { textOriginal } } } }
    return commentThreads.insert({ part: ['snippet'], requestBody }, at)
  }
  expect((await insert(videoId, 'Theirs')).data).toMatchObject({ id: expect.stringMatching(/^Ug/) })
  expect(ours?.json).toEqual({ snippet: { videoId, topLevelComment: { snippet: { textOriginal: 'Ours' } } } })
  stage.pass(60_000)
  const listed = await commentThreads.list({ part: ['snippet'], videoId, order: 'time', maxResults: 20 }, at)
  const texts = listed.data.items?.map(({ snippet }) => snippet?.topLevelComment?.snippet?.textOriginal)
  expect(texts).toEqual(['Theirs', 'Ours'])
  const data = { error: { errors: [{ reason: 'videoNotFound' }] } }
  await expect(insert('other', 'Where')).rejects.toMatchObject({ response: { status: 404, data } })
})

/** Calls: what their parameters, bodies and answers are called. A piece that is not the last is answered by 308. */
const CALLS: Readonly<Record<string, [parameters: string, body: string, answer: string]>> = {
  'GET youtube/v3/commentThreads': ['Commentthreads$List', '', 'CommentThreadListResponse'],
  'GET youtube/v3/channels': ['Channels$List', '', 'ChannelListResponse'],
  'GET youtube/v3/playlistItems': ['Playlistitems$List', '', 'PlaylistItemListResponse'],
  'GET youtube/v3/videoCategories': ['Videocategories$List', '', 'VideoCategoryListResponse'],
  'GET youtube/v3/videos': ['Videos$List', '', 'VideoListResponse'],
  'POST youtube/v3/commentThreads': ['Commentthreads$Insert', 'CommentThread', 'CommentThread'],
  'POST upload/youtube/v3/thumbnails/set': ['Thumbnails$Set', '', 'ThumbnailSetResponse'],
  'POST upload/youtube/v3/videos': ['Videos$Insert', 'Video', ''],
  'PUT upload/youtube/v3/videos': ['Videos$Insert', '', 'Video'],
}

describe("the vendor's types", () => {
  const schemas = readSchemas()
  const contentOf = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/Schema$${name}` } } },
  })
  const operationOf = ([parameters, body, answered]: (typeof CALLS)[string]): Operation => ({
    parameters: [
      ...Object.keys(schemas[`Params$Resource$${parameters}`]?.properties ?? {}),
      'uploadType',
      'upload_id',
    ].map((name) => ({ name, in: 'query', schema: {} })),
    ...(body === '' ? {} : { requestBody: contentOf(body) }),
    responses: { [answered === 'Video' ? 201 : 200]: answered === '' ? {} : contentOf(answered), 308: {} },
  })
  const calls = Object.fromEntries(Object.entries(CALLS).map(([call, names]) => [call, operationOf(names)]))
  compareWith(
    { calls, components: { schemas } },
    {
      open: () => openAnyStage(network, 'YOUTUBE', { base: 'api' }),
      async drive(stage) {
        // The session is over, so that the uploads of the channel are read too.
        const media = [{ file: 'video-short.mp4' }, { file: 'photo.jpg' }]
        await stage.deliver(sample({ media }), both(losesAnswer(), gone()))
        await stage.deliver(sample())
        const commented = sample({ fields: { options: { firstComment: 'More' } } })
        await stage.deliver(commented, stage.on('POST youtube/v3/commentThreads', lost, { reached: true }))
        const { account, credentials } = stage.world.backend
        await network.connect.options?.(stage.context(), { ...account, credentials, accountType: 'YOUTUBE' })
      },
      calls: Object.keys(CALLS),
      // The types have no refusals.
      differences: ['GET youtube/v3/playlistItems 404 is not known'],
    },
  )
})

/** Members of the interfaces that the client declares, as schemas. */
function readSchemas(): Record<string, { type: string; properties: Json }> {
  const types = join(createRequire(import.meta.url).resolve('@googleapis/youtube'), '../v3.d.ts')
  const text = readFileSync(types, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const found = text.matchAll(/interface ([\w$]+)[^{]*\{([\s\S]*?)\n {4}\}/g)
  const member = /^ {8}(\w+|'[^']+')\??: (.+?)[;{]?$/gm
  const schemaOf = (type = ''): Json => {
    const [, name, list] = /^(Schema\$\w+|string|boolean|number)(\[\])?( \| null)?$/.exec(type) ?? []
    if (name === undefined) return {}
    const one = name.startsWith('Schema$') ? { $ref: `#/components/schemas/${name}` } : { type: name }
    return list ? { type: 'array', items: one } : one
  }
  const propertiesIn = (body: string): Json =>
    Object.fromEntries([...body.matchAll(member)].map(([, key, type]) => [key, schemaOf(type)]))
  const named = [...found].map(([, name, body = '']) => [name, { type: 'object', properties: propertiesIn(body) }])
  return Object.fromEntries(named)
}
