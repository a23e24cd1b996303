import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { type MeasuredVideo, measureVideo } from '../kit/measure-video.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { visibly } from '../kit/simulator.ts'
import { utf8Bytes } from '../kit/text.ts'
import { linksIn } from '../kit/text-rules.ts'
import { fetched } from '../meta/simulator.ts'
import {
  addContainer,
  addPost,
  findContainer,
  findPost,
  keepContainer,
  QUOTA_REACHED,
  quotaUsage,
  type SimulatedContainer,
  type StoredFile,
  statusOf,
} from '../meta/simulator-containers.ts'
import { limits } from './manifest.ts'
import { faultAnswers, mediaNotFound, refuse } from './simulator-answers.ts'
import type { Asked, Params, ThreadsPost } from './simulator-asked.ts'
import { textLength } from './text.ts'

/**
 * Parameters of `POST /me/threads` by what is made with them: https://developers.facebook.com/docs/threads/posts (read
 * 2026-11-21), without what no post of ours has. The real network lets unknown ones pass; this one refuses them, so that
 * a misspelled name shows. `polls`: times that a status is asked for until the network has worked on a container.
 */
export const KINDS = {
  TEXT: { params: 'media_type text reply_to_id', polls: 1, post: 'TEXT_POST' },
  IMAGE: { params: 'media_type text image_url alt_text reply_to_id', polls: 1, post: 'IMAGE' },
  VIDEO: { params: 'media_type text video_url alt_text reply_to_id', polls: 2, post: 'VIDEO' },
  CAROUSEL: { params: 'media_type text children reply_to_id', polls: 1, post: 'CAROUSEL_ALBUM' },
  'ITEM IMAGE': { params: 'media_type is_carousel_item image_url alt_text', polls: 1, post: null },
  'ITEM VIDEO': { params: 'media_type is_carousel_item video_url alt_text', polls: 2, post: null },
}
type Kind = keyof typeof KINDS

/** A container; `failure` is the word with which the work on it ends. */
export type Container = SimulatedContainer<Kind, string> & { params: Params; finishedAt?: string }

type Taken = Pick<Container, 'files' | 'failure'>

const invalid = (what: string): never => refuse(100, null, `Invalid parameter: ${what}`)
const tooLong = (): never => refuse(100, null, 'Param text must be at most 500 characters long.')

/** `POST /me/threads` */
export async function createContainer(asked: Asked): Promise<SimulatedAnswer> {
  const { deps, by, params } = asked
  const kind = checkedKind(asked)
  refuseReply(asked)
  const fault = faultIn(params.text ?? '')
  if (fault === 'caption-too-long') tooLong()
  const taken = await takeFiles(asked, kind)
  const failure = fault === 'media-rejected' ? 'FAILED_PROCESSING_VIDEO' : taken.failure
  return addContainer(deps, '178', { ...taken, owner: by.id, kind, params, pollsLeft: KINDS[kind].polls, failure })
}

/** A post cannot be answered at once. */
const ANSWERABLE_AFTER_MS = 2_000
/** A video that is published sooner after it was finished answers nothing, as it was seen. */
const VIDEO_RESTS_MS = 30_000

function refuseReply({ deps, by, params, world }: Asked): void {
  const { reply_to_id: parent } = params
  if (parent === undefined) return
  if (world.replies === 'refused') refuse(10, null, 'Application does not have permission for this action')
  const post = findPost<ThreadsPost>(deps, by.id, parent)
  if (!post || deps.now().getTime() - Date.parse(post.at) < ANSWERABLE_AFTER_MS) mediaNotFound(parent)
}

/** From the first look that finds it finished. */
export function noteFinished(deps: SimulatorDeps, container: Container): Container {
  if (container.finishedAt !== undefined || statusOf(deps, container) !== 'FINISHED') return container
  const finished = { ...container, finishedAt: deps.now().toISOString() }
  keepContainer(deps, finished)
  return finished
}

/** What the post of a container answers. */
function answersOf(deps: SimulatorDeps, { params, files, finishedAt }: Container): string | undefined {
  const rested = deps.now().getTime() - Date.parse(finishedAt ?? '') >= VIDEO_RESTS_MS
  return files.some(({ mimeType }) => mimeType.startsWith('video/')) && !rested ? undefined : params.reply_to_id
}

/** What is made with these. @throws SimulatedRefusal */
function checkedKind({ params, world }: Pick<Asked, 'params' | 'world'>): Kind {
  const { media_type: type = '', is_carousel_item: item, text, children, alt_text: alt } = params
  const kind = (item === 'true' ? `ITEM ${type}` : type) as Kind
  if (!Object.hasOwn(KINDS, kind))
    invalid('media_type must be one of TEXT, IMAGE, VIDEO, CAROUSEL, items IMAGE or VIDEO')
  const known = KINDS[kind].params.split(' ')
  const foreign = Object.keys(params).find((name) => !known.includes(name))
  if (foreign !== undefined) invalid(`param ${foreign} is not allowed`)
  for (const file of ['image_url', 'video_url'])
    if (known.includes(file) && !params[file]) invalid(`${file} is required`)
  if (kind === 'TEXT' && !text?.trim()) refuse(100, null, "text can't be blank")
  if ((world.counts === 'bytes' ? utf8Bytes : textLength)(text ?? '') > limits.textLength.value) tooLong()
  if (linksIn(text ?? '').length > limits.links.value) {
    refuse(100, null, 'THREADS_API__LINK_LIMIT_EXCEEDED', { user: 'The post has too many links.' })
  }
  const count = childrenOf(children).length
  const { carouselMin, carouselMax, altTextLength } = limits
  if (kind === 'CAROUSEL' && (count < carouselMin.value || count > carouselMax.value)) {
    invalid('children must hold 2 to 20 ids')
  }
  if ([...(alt ?? '')].length > altTextLength.value) invalid('alt_text is too long')
  return kind
}

const childrenOf = (children = '') => children.split(',').filter((id) => id !== '')

async function takeFiles({ deps, by, params }: Asked, kind: Kind): Promise<Taken> {
  if (kind === 'TEXT') return { files: [], failure: null }
  if (kind === 'CAROUSEL') {
    const items = childrenOf(params.children).map((id) => {
      const child = findContainer(deps, by.id, id)
      if (!child || statusOf(deps, child) !== 'FINISHED') return mediaNotFound(id)
      return child.kind.startsWith('ITEM') ? child : invalid(`${id} is no carousel item`)
    })
    return { files: items.flatMap(({ files }) => files), failure: null }
  }
  const isVideo = kind.endsWith('VIDEO')
  const [file, failure] = isVideo ? await takeVideo(deps, params.video_url) : await takeImage(deps, params.image_url)
  const alt = params.alt_text === undefined ? {} : { alt: params.alt_text }
  return { files: file ? [{ ...file, ...alt }] : [], failure }
}

/** A file that was fetched, and the word with which the work on it ends. */
type Medium = readonly [StoredFile | null, string | null]

/** Ratios are rounded by every program that makes images. */
const TOLERANCE = 0.01

/** Fetches an image while its container is made. What cannot be fetched is refused at once. */
async function takeImage(deps: SimulatorDeps, url: unknown): Promise<Medium> {
  const file = await fetched(deps, url, limits.imageBytes.value)
  if (file === 'too large') return [null, 'UNKNOWN']
  if (file === null) {
    return refuse(1, 2207052, 'An unknown error occurred', { user: 'The media could not be fetched from this URI.' })
  }
  const image = await measureImage(await deps.store.getBlob(file.blobId))
  const stored = { blobId: file.blobId, mimeType: image?.format === 'png' ? 'image/png' : 'image/jpeg' }
  if (image?.format !== 'jpeg' && image?.format !== 'png') return [stored, 'UNKNOWN']
  const ratio = image.width / image.height
  const { imageMaxRatio, imageMinRatio } = limits
  const fits = ratio <= imageMaxRatio.value + TOLERANCE && ratio >= imageMinRatio.value - TOLERANCE
  return [stored, fits ? null : 'INVALID_ASPEC_RATIO']
}

/** Fetches a video. What is wrong with it, its address too, shows in the status of its container. */
async function takeVideo(deps: SimulatorDeps, url: unknown): Promise<Medium> {
  const file = await fetched(deps, url, limits.videoBytes.value)
  if (file === null) return [null, 'FAILED_DOWNLOADING_VIDEO']
  if (file === 'too large') return [null, 'FAILED_PROCESSING_VIDEO']
  const measured = await measureVideo(await deps.store.openBlob(file.blobId))
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  return [{ blobId: file.blobId, mimeType }, failureOf(measured)]
}

function failureOf(video: MeasuredVideo | null): string | null {
  const { videoMaxSeconds, videoMaxWidth, videoMinRatio, videoMaxRatio } = limits
  if (!['avc', 'hevc'].includes(video?.videoCodec ?? '') || !video) return 'FAILED_PROCESSING_VIDEO'
  if (video.audioCodec !== null && video.audioCodec !== 'aac') return 'FAILED_PROCESSING_AUDIO'
  if (video.seconds <= 0 || video.seconds > videoMaxSeconds.value) return 'INVALID_DURATION'
  if (video.width > videoMaxWidth.value) return 'FAILED_PROCESSING_VIDEO'
  const ratio = video.width / video.height
  return ratio < videoMinRatio.value || ratio > videoMaxRatio.value ? 'INVALID_ASPEC_RATIO' : null
}

/** `POST /me/threads_publish`: the one call that the world sees. Nothing keeps a container from being published twice. */
export function publishContainer({ deps, by, params, world, ...call }: Asked): Promise<null> {
  const { creation_id: id = '', ...more } = params
  const container = findContainer<Container>(deps, by.id, id)
  return visibly(
    { deps, ...call },
    {
      key: `publish:${id}`,
      text: container?.params.text,
      answers: faultAnswers,
      accept() {
        const [foreign] = Object.keys(more)
        if (foreign !== undefined) invalid(`param ${foreign} is not allowed`)
        if (!container) return mediaNotFound(id)
        const { post } = KINDS[container.kind]
        if (post === null) return invalid('a carousel item cannot be published')
        if (!['FINISHED', 'PUBLISHED'].includes(statusOf(deps, container))) mediaNotFound(id)
        if (container.missed < world.races) {
          keepContainer(deps, { ...container, missed: container.missed + 1 })
          mediaNotFound(id)
        }
        if (quotaUsage(deps, by.ledgerId) >= world.quotaTotal) refuse(...QUOTA_REACHED)
        const { text, ...params } = container.params
        const { alt_text: altText } = params
        const answers = answersOf(deps, container)
        const place = answers === undefined ? {} : { answers }
        const details = { ...params, ...(answers === undefined ? {} : { replyTo: answers }) }
        const about = { text, altText, mediaType: post, type: post, details, kept: place }
        return addPost(deps, by.ledgerId, container, about)
      },
    },
  )
}
