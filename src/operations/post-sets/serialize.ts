import { type AccountType, accountTypes, POST_FIELDS, type Post, type PostMedia, type PostSet } from '#contract'
import type { UrlSigner } from '#media'
import type { PostSetMediaRow, PostSetPostRow, PostSetRow } from '#persistence'

/** The minimum number of hours for which an address in an answer is valid. */
export const URL_HOURS = 48

/** The sets of a page. Media that many of them show, as in a series, is signed once. */
export function postSetAnswers(rows: readonly PostSetRow[], urls: Pick<UrlSigner, 'sign'>, now: Date): PostSet[] {
  const signed = new Map<string, string>()
  const sign: UrlSigner['sign'] = (path, ...rest) => {
    const key = `${path.id} ${path.variant} ${path.version}`
    const url = signed.get(key) ?? urls.sign(path, ...rest)
    signed.set(key, url)
    return url
  }
  return rows.map((row) => postSetAnswer(row, { sign }, now))
}

/** A post set in an answer of the API. */
export function postSetAnswer(row: PostSetRow, urls: Pick<UrlSigner, 'sign'>, now: Date): PostSet {
  return {
    id: row.id,
    socialSetId: row.socialSetId,
    scheduledAt: row.scheduledAt.toISOString(),
    status: row.status,
    posts: row.posts.map((post) => postAnswer(post, urls, now)),
    ...(row.seriesId === null ? {} : { seriesId: row.seriesId }),
    ...(row.repeat === null ? {} : { repeat: row.repeat }),
    labelsId: row.labelsId,
    approval: row.approval,
    isLocked: row.isLocked,
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** What is answered for each field of an account type when it is unset. */
const UNSET = Object.fromEntries(
  accountTypes.map((type) => [
    type,
    Object.entries(POST_FIELDS[type]).map(([name, { missing }]) => [name, missing] as const),
  ]),
) as Record<AccountType, (readonly [name: string, missing: unknown])[]>

/** The content of a post: its media, further parts and every field of its account type. */
export function postTexts<M>(
  { id, accountType, caption, fields, media, thread }: PostSetPostRow,
  answered: (item: PostSetMediaRow) => M,
) {
  const answer: Pick<Post, 'id' | 'accountType' | 'caption'> & { media: M[] } & Record<string, unknown> = {
    ...{ id, accountType, caption },
    media: media.map(answered),
  }
  if (thread.length > 0) answer.thread = thread.map((part) => ({ ...part, media: part.media.map(answered) }))
  for (const [name, missing] of UNSET[accountType]) answer[name] = fields[name] ?? missing
  return answer
}

function postAnswer(row: PostSetPostRow, urls: Pick<UrlSigner, 'sign'>, now: Date): Post {
  const answer = postTexts(row, (item) => mediaAnswer(item, urls, now))
  if (row.result) answer.result = row.result
  return answer as Post
}

function mediaAnswer(row: PostSetMediaRow, urls: Pick<UrlSigner, 'sign'>, now: Date): PostMedia {
  const { mediaId: id, picture } = row
  return {
    id: row.id,
    mediaLibraryId: id,
    altText: row.altText,
    title: row.title,
    description: row.description,
    link: row.link,
    tags: row.tags,
    crop: row.crop,
    type: row.facts.type,
    url: urls.sign({ id, variant: 'original' }, URL_HOURS, now),
    thumbnailUrl: picture && urls.sign({ id, ...picture }, URL_HOURS, now),
    width: row.facts.width,
    height: row.facts.height,
    ...(row.facts.pages === undefined ? {} : { pages: row.facts.pages }),
    durationMs: row.facts.durationMs,
  }
}
