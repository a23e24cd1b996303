import { randomBytes } from 'node:crypto'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { MINUTE_MS } from '#contract/durations'
import { faultIn, type SimulatedAnswer, strikingFault } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { measureVideo } from '../kit/measure-video.ts'
import { record } from '../kit/read-json.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call as AnyCall, type SimulatedApi, visibly } from '../kit/simulator.ts'
import type { Limit } from '../network.ts'
import { PUBLISHING, UPLOADING } from './connect.ts'
import { limits, PRIVACY_LEVELS, videoTypes } from './manifest.ts'
import type { AccountSettings, SwitchedOff } from './simulator-accounts.ts'
import { pendingOf, takeFault } from './simulator-inbox.ts'
import {
  COLLECTION,
  digits,
  hashOf,
  invalid,
  type Job,
  keepJob,
  ok,
  refusal,
  refuse,
  UNDONE,
} from './simulator-jobs.ts'

/** What fault words say in this network's tongue when a post is begun. Each of them means that nothing was made. */
const refusalsAtInit = {
  'rate-limited': refusal(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.'),
  'token-expired': refusal(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  'caption-too-long': refusal(400, 'invalid_params', 'The title is too long.'),
  'account-suspended': refusal(403, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts.'),
}

/** How the network treats the app. */
export interface AppPolicy {
  /** False: of its posts it takes those alone that only the account sees, and of private accounts alone. */
  isAudited: boolean
  /** The account's own setting. */
  isAccountPrivate: boolean
  /**
   * How videos may be divided: as the documents say, in no more chunks than the limits make necessary, or not at all. The
   * last two are no rule of a page; apps have met them since August 2026.
   */
  chunks: 'documented' | 'fewest' | 'one'
  /** How many drafts of an account it holds at once. */
  drafts: number
}

/** What the account may choose. */
const offeredBy = (isPrivate: boolean): readonly string[] => {
  const other = isPrivate ? 'PUBLIC_TO_EVERYONE' : 'FOLLOWER_OF_CREATOR'
  return PRIVACY_LEVELS.filter((level) => level !== other)
}

/** Unknown members are refused. */
const members = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })
const text = Type.Optional(Type.String())
const toggle = Type.Optional(Type.Boolean())
const choices = {
  privacy_level: Type.String(),
  disable_comment: toggle,
  brand_content_toggle: toggle,
  brand_organic_toggle: toggle,
}
const VideoSource = members({
  source: Type.Literal('FILE_UPLOAD'),
  video_size: Type.Integer({ minimum: 1, maximum: limits.videoBytes.value }),
  chunk_size: Type.Integer({ minimum: 1 }),
  total_chunk_count: Type.Integer({ minimum: 1, maximum: limits.chunks.value }),
})
const VideoInit = members({
  post_info: members({
    ...{ ...choices, title: text, disable_duet: toggle, disable_stitch: toggle, is_aigc: toggle },
    video_cover_timestamp_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  source_info: VideoSource,
})
const InboxVideoInit = members({ source_info: VideoSource })
const PhotoSource = members({
  source: Type.Literal('PULL_FROM_URL'),
  photo_cover_index: Type.Integer({ minimum: 0 }),
  photo_images: Type.Array(Type.String({ pattern: '^https?://[\\x21-\\x7e]+$' }), {
    minItems: 1,
    maxItems: limits.photos.value,
  }),
})
const PhotoInit = members({
  media_type: Type.Literal('PHOTO'),
  post_mode: Type.Literal('DIRECT_POST'),
  post_info: members({ ...choices, title: text, description: text, auto_add_music: toggle }),
  source_info: PhotoSource,
})
const InboxPhotoInit = members({
  media_type: Type.Literal('PHOTO'),
  post_mode: Type.Literal('MEDIA_UPLOAD'),
  post_info: members({ title: text, description: text }),
  source_info: PhotoSource,
})

function read<T extends TSchema>(schema: T, body: unknown): Static<T> {
  return Value.Check(schema, body) ? body : invalid('A field is unknown or missing, or has a value of another kind.')
}

type Choices = Static<typeof VideoInit | typeof PhotoInit>['post_info']

function checkInfo(info: Choices, text: string, limit: Limit, { by, app }: { by: Account; app: AppPolicy }): void {
  const { privacy_level: level, brand_content_toggle: branded } = info
  if (text.length > limit.value) invalid(`The ${limit === limits.videoCaption ? 'title' : 'description'} is too long.`)
  const refusal = by.settings?.refusal
  if (refusal) refuse(...refusal)
  const isPrivate = isPrivateFor(by, app)
  if (!offeredBy(isPrivate).includes(level)) {
    refuse(403, 'privacy_level_option_mismatch', 'privacy_level is not among the options of creator_info.')
  }
  if (!app.isAudited && !(isPrivate && level === 'SELF_ONLY')) {
    refuse(403, 'unaudited_client_can_only_post_to_private_accounts', 'Please review our integration guidelines.')
  }
  if (branded && level === 'SELF_ONLY') invalid('Branded content cannot be private.')
}

function checkChunks(size: number, chunkSize: number, chunks: number, app: AppPolicy): void {
  const { chunkMinBytes: min, chunkMaxBytes: max, lastChunkMaxBytes: lastMax } = limits
  if (chunks !== Math.floor(size / chunkSize)) invalid('The total chunk count is invalid')
  // Each reading of MB is refused that may be refused.
  const isSmall = chunkSize < Math.min(size, min.value)
  const isLarge = chunkSize > max.value || size - (chunks - 1) * chunkSize > lastMax.value
  const most = { documented: chunks, fewest: Math.ceil(size / max.value), one: 1 }[app.chunks]
  // A file in one chunk is a chunk of its size.
  if (isSmall || isLarge || (chunks === 1 && chunkSize !== size) || chunks > most) invalid('The chunk size is invalid')
}

/** A demo account. */
export interface Account {
  openId: string
  /** Under which its posts are in the ledger: the connection of the sandbox, else the account itself. */
  ledgerId: string
  username: string
  name: string
  /** Of the token that calls. Not kept. */
  scopes?: readonly string[]
  /** Absent of accounts of earlier versions. */
  settings?: AccountSettings
}

/** Everything as a new account has it: public, nothing switched off. */
const isPrivateFor = ({ settings }: Account, app: AppPolicy) => app.isAccountPrivate || settings?.isPrivate === true

type Call = AnyCall<Account>

/** Times that the status is asked for until the network has worked on a post, and until moderation has let it pass. */
const LOOKS = { processed: 2, moderated: 3 }

function jsonOf({ request }: Call): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json')) invalid('The body must be JSON.')
  return readJson(request)
}

/** What is the same of every upload. */
function beginUpload(
  { deps, by: { openId } }: Call,
  { video_size: size, chunk_size: chunkSize }: Static<typeof VideoSource>,
  of: Pick<Job, 'info' | 'text' | 'key' | 'inbox' | 'fault'>,
): SimulatedAnswer {
  const publishId = `${of.inbox ? 'v_inbox_file' : 'v_pub_file'}~v2-1.${digits(19)}`
  const token = randomBytes(24).toString('base64url')
  const upload = { token, size, chunkSize, chunks: [], received: 0, since: deps.now().toISOString() }
  keepJob(deps, { ...UNDONE, publishId, openId, kind: 'video', upload, ...of })
  const query = new URLSearchParams({ upload_id: publishId, upload_token: token })
  return ok({ publish_id: publishId, upload_url: `${deps.url}/upload/video/?${query}` })
}

/**
 * `POST /v2/post/publish/video/init/`. Nothing is public before the last byte of the upload. That call has no words: what
 * the network refuses it refuses here.
 */
async function beginVideo(call: Call, app: AppPolicy): Promise<SimulatedAnswer> {
  const { deps } = call
  const { post_info: info, source_info: source } = read(VideoInit, await jsonOf(call))
  const { video_size: size, chunk_size: chunkSize, total_chunk_count: count } = source
  const [openId, text] = [call.by.openId, info.title ?? '']
  checkInfo(info, text, limits.videoCaption, { by: call.by, app })
  checkChunks(size, chunkSize, count, app)
  const key = hashOf(openId, info, size)
  const words: Partial<Record<string, SimulatedAnswer>> = refusalsAtInit
  const refused = words[faultIn(text) ?? '']
  if (refused && strikingFault(deps.store, key, text)) return refused
  return beginUpload(call, source, { info, text, key })
}

/** `POST /v2/post/publish/inbox/video/init/`: a draft, of which the network takes no words. */
async function beginDraft(call: Call, app: AppPolicy): Promise<SimulatedAnswer> {
  const { source_info: source } = read(InboxVideoInit, await jsonOf(call))
  checkChunks(source.video_size, source.chunk_size, source.total_chunk_count, app)
  if (pendingOf(call.deps, call.by.openId) >= app.drafts) refuse(403, 'spam_risk_too_many_pending_share')
  const fault = takeFault(call.deps)
  const words: Partial<Record<string, SimulatedAnswer>> = refusalsAtInit
  const refused = words[faultIn(fault) ?? '']
  if (refused) return refused
  const key = randomBytes(16).toString('base64url')
  return beginUpload(call, source, { info: {}, text: '', key, inbox: 'waiting', fault })
}

/** `POST /v2/post/publish/content/init/`: from here on the network fetches, and publishes by itself or puts a draft into the inbox. */
async function publishPhotos(call: Call, app: AppPolicy): Promise<null> {
  const { deps, by } = call
  const body = await jsonOf(call)
  const isDraft = record(body)?.post_mode === 'MEDIA_UPLOAD'
  if (!by.scopes?.includes(isDraft ? UPLOADING : PUBLISHING))
    refuse(401, 'scope_not_authorized', 'The scope is missing.')
  const { post_info: info, source_info: source } = read(isDraft ? InboxPhotoInit : PhotoInit, body)
  const [openId, urls, text] = [by.openId, source.photo_images, info.description ?? '']
  if ((info.title ?? '').length > limits.photoTitle.value) invalid('The title is too long.')
  if (source.photo_cover_index >= urls.length) invalid('photo_cover_index is not among the photos.')
  if ('privacy_level' in info) checkInfo(info, text, limits.photoDescription, { by, app })
  else if (text.length > limits.photoDescription.value) invalid('The description is too long.')
  if (isDraft && pendingOf(deps, openId) >= app.drafts) refuse(403, 'spam_risk_too_many_pending_share')
  // What the operator verifies: the domain of the installation. Beside it, that of the sandbox.
  const verified = [deps.callback, deps.url].map((address) => new URL(address).hostname)
  if (!urls.every((url) => verified.includes(URL.parse(url)?.hostname ?? ''))) {
    refuse(403, 'url_ownership_unverified', 'Please review our URL ownership verification rules.')
  }
  // Addresses of media are signed again for every try.
  const key = hashOf(openId, info, urls.length)
  return visibly(call, {
    key,
    text,
    answers: { '500-before': refusal(500, 'internal_error', 'Something went wrong on our side.'), ...refusalsAtInit },
    async accept() {
      const publishId = `p_pub_url~v2.${digits(19)}`
      const taken = await Promise.all(urls.map((url) => takePhoto(deps, url)))
      const failure = taken.find((photo) => typeof photo === 'string') ?? null
      const photos = taken.filter((photo) => typeof photo !== 'string')
      const of = { publishId, openId, kind: 'photo', info, text, key, failure } as const
      finish(deps, { ...UNDONE, ...of, ...(isDraft ? { inbox: 'waiting' } : {}) }, photos)
      return ok({ publish_id: publishId })
    },
  })
}

type File = { blobId: string; mimeType: string }

/** Fetches a photo as the network does; the reason that the post will fail for when it is not as it should be. */
async function takePhoto({ fetchFile, store }: SimulatorDeps, url: string): Promise<File | string> {
  const file = await fetchFile(url, { maxBytes: limits.photoBytes.value })
  if (file === null) return 'photo_pull_failed'
  if (file === 'too large') return 'picture_size_check_failed'
  const facts = await measureImage(await store.getBlob(file.blobId))
  if (facts?.format !== 'jpeg' && facts?.format !== 'webp') return 'file_format_check_failed'
  const [long, short] = [Math.max(facts.width, facts.height), Math.min(facts.width, facts.height)]
  const isLarge = long > limits.photoLongSide.value || short > limits.photoShortSide.value
  return isLarge ? 'picture_size_check_failed' : { blobId: file.blobId, mimeType: `image/${facts.format}` }
}

/** Why a video would fail while the network works on it; null when it would not. */
async function failureOfVideo(bytes: Buffer): Promise<string | null> {
  const video = await measureVideo(bytes)
  if (!video || !['avc', 'hevc', 'vp8', 'vp9'].includes(video.videoCodec ?? '')) return 'file_format_check_failed'
  if (video.seconds > limits.videoMaxSeconds.value) return 'duration_check_failed'
  const [min, max] = [limits.videoMinSide.value, limits.videoMaxSide.value]
  return [video.width, video.height].some((side) => side < min || side > max) ? 'picture_size_check_failed' : null
}

/** An answer to a chunk: a status, and no body that is documented. */
const chunkAnswer = (status: number, range?: string): SimulatedAnswer =>
  range === undefined ? { status, body: '' } : { status, headers: { 'content-range': range }, body: '' }

/** A chunk of a video. The last one is the call that the world sees. */
export async function takeChunk(call: AnyCall): Promise<SimulatedAnswer | null> {
  const { deps, query, request } = call
  const job = deps.store.get<Job>(COLLECTION, query.get('upload_id') ?? '')
  if (!job?.upload || job.upload.token !== query.get('upload_token')) return chunkAnswer(404)
  const { key, text, upload } = job
  const { size, chunkSize, received } = upload
  const bytes = await readBytes(request, limits.lastChunkMaxBytes.value)
  // An upload that is done is forgotten.
  if (job.taken) return chunkAnswer(404)
  const age = deps.now().getTime() - new Date(upload.since).getTime()
  if (age > limits.uploadMinutes.value * MINUTE_MS) return chunkAnswer(403)
  const { 'content-type': type = '', 'content-range': range = '' } = request.headers
  const [start, end, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? []).slice(1).map(Number)
  const isWhole = start !== undefined && end !== undefined && end + 1 - start === bytes.length
  if (!videoTypes.includes(type) || total !== size || !isWhole) return chunkAnswer(400)
  const isLast = start === (Math.floor(size / chunkSize) - 1) * chunkSize
  if (start !== received || end + 1 !== (isLast ? size : start + chunkSize)) {
    return chunkAnswer(416, received === 0 ? `bytes */${size}` : `bytes 0-${received - 1}/${size}`)
  }

  const chunks = [...upload.chunks, await deps.store.putBlob(bytes)]
  if (!isLast) {
    keepJob(deps, { ...job, upload: { ...upload, chunks, received: end + 1 } })
    return chunkAnswer(206, `bytes 0-${end}/${size}`)
  }
  return visibly(call, {
    key,
    text: job.fault ?? text,
    answers: { '500-before': chunkAnswer(500) },
    async accept() {
      const parts = await Promise.all(chunks.map((id) => deps.store.getBlob(id)))
      const whole = Buffer.concat(parts.filter((part) => part !== undefined))
      const failure = type === 'video/webm' ? null : await failureOfVideo(whole)
      const file = { blobId: await deps.store.putBlob(whole), mimeType: type }
      finish(deps, { ...job, upload: { ...upload, chunks: [], received: size }, failure }, [file])
      return chunkAnswer(201, `bytes 0-${end}/${size}`)
    },
  })
}

/** The network has everything. What it will publish is published now, however long it says that it works on it. */
function finish(deps: SimulatorDeps, job: Job, media: readonly File[]): void {
  const failure = faultIn(job.fault ?? job.text) === 'media-rejected' ? 'file_format_check_failed' : job.failure
  const postId = failure === null ? `7${digits(18)}` : null
  deps.store.together(() => {
    if (postId !== null) {
      deps.store.addPost({
        id: postId,
        accountId: deps.store.get<Account>('accounts', job.openId)?.ledgerId ?? job.openId,
        text: job.text,
        permalink: `${deps.url}/p/${postId}`,
        createdAt: deps.now().toISOString(),
        media,
        details: { kind: job.kind, ...(job.inbox ? { inbox: job.inbox } : {}), ...job.info },
      })
    }
    keepJob(deps, { ...job, taken: true, failure, postId })
  })
}

/** `POST /v2/post/publish/status/fetch/`. Every look is a step of the work on it. */
async function readStatus(call: Call): Promise<SimulatedAnswer> {
  const { deps, by } = call
  const job = deps.store.get<Job>(COLLECTION, String(record(await jsonOf(call))?.publish_id))
  if (!job) return refuse(400, 'invalid_publish_id', 'The publish_id does not exist.')
  if (job.openId !== by.openId) return refuse(403, 'token_not_authorized_for_specified_publish_id')
  const bytes = job.upload ? { uploaded_bytes: job.upload.received } : {}
  if (!job.taken) return ok({ status: 'PROCESSING_UPLOAD', ...bytes })
  const looks = job.looks + 1
  keepJob(deps, { ...job, looks })
  if (looks <= LOOKS.processed) {
    // Whether it reports the number while it works on the file is not documented.
    return ok({ status: job.kind === 'video' ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD' })
  }
  if (job.failure !== null) return ok({ status: 'FAILED', fail_reason: job.failure, ...bytes })
  // Whether it ever says that a draft was discarded is not documented.
  if (job.inbox && job.inbox !== 'published') return ok({ status: 'SEND_TO_USER_INBOX', ...bytes })
  const forEveryone = job.inbox === 'published' || job.info.privacy_level === 'PUBLIC_TO_EVERYONE'
  const isPublic = forEveryone && looks > LOOKS.moderated
  const answer = ok({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [], ...bytes })
  // The id is a number of 64 bits, which `JSON.stringify` cannot write.
  return isPublic ? { ...answer, body: JSON.stringify(answer.body).replace('[]', `[${job.postId}]`) } : answer
}

/** `POST /v2/video/list/`: photos are left out of it, and videos are asked about by their ids alone. */
function listPosts({ query }: Call): SimulatedAnswer {
  if (!query.get('fields')) invalid('fields is missing.')
  return ok({ videos: [], cursor: 0, has_more: false })
}

/** What the demo account may do; the network gives every account figures of its own. */
function creatorInfo(by: Account, app: AppPolicy): SimulatedAnswer {
  const { username, name, settings } = by
  if (settings?.refusal) refuse(...settings.refusal)
  const isOff = (what: SwitchedOff) => settings?.off.includes(what) ?? false
  return ok({
    creator_avatar_url: 'https://p16.tiktokcdn.example/avatar.jpeg',
    creator_username: username,
    creator_nickname: name,
    privacy_level_options: offeredBy(isPrivateFor(by, app)),
    comment_disabled: isOff('comments'),
    duet_disabled: isOff('duets'),
    stitch_disabled: isOff('stitches'),
    max_video_post_duration_sec: settings?.maxSeconds ?? limits.videoMaxSeconds.value,
  })
}

/** `GET /v2/user/info/`: the user name has a scope of its own. */
const userInfo = ({ openId, username, name, scopes = [] }: Account) =>
  ok({ user: { open_id: openId, display_name: name, ...(scopes.includes('user.info.profile') ? { username } : {}) } })

const EITHER = `${PUBLISHING}|${UPLOADING}`
/** The calls of the API that want a token, each with the scopes of which one is enough. */
export const routesOf = (app: AppPolicy): SimulatedApi<Account, string>['routes'] => ({
  'POST /api/v2/post/publish/creator_info/query/': [PUBLISHING, ({ by }) => creatorInfo(by, app)],
  'POST /api/v2/post/publish/video/init/': [PUBLISHING, (call) => beginVideo(call, app)],
  'POST /api/v2/post/publish/inbox/video/init/': [UPLOADING, (call) => beginDraft(call, app)],
  'POST /api/v2/post/publish/content/init/': [EITHER, (call) => publishPhotos(call, app)],
  'POST /api/v2/post/publish/status/fetch/': [EITHER, readStatus],
  'GET /api/v2/user/info/': ['user.info.basic', ({ by }) => userInfo(by)],
  'POST /api/v2/video/list/': ['video.list', listPosts],
})
