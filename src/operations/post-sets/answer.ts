import { accountTypeEntry, type Post, type PostMedia, type PostSet } from '#contract'
import type { UrlSigner } from '#media'
import type { PostSetMediaRow, PostSetPostRow, PostSetRow } from '#persistence'

/** Hours that an address in an answer is good for at least. */
export const URL_HOURS = 48

/** The sets of a page. What many of them show, as the sets of a series do, is signed once. */
export function postSetAnswers(rows: readonly PostSetRow[], urls: Pick<UrlSigner, 'sign'>, now: Date): PostSet[] {
  const signed = new Map<string, string>()
  const sign: UrlSigner['sign'] = (path, ...rest) => {
    const key = `${path.id} ${path.variant}`
    const url = signed.get(key) ?? urls.sign(path, ...rest)
    signed.set(key, url)
    return url
  }
  return rows.map((row) => postSetAnswer(row, { sign }, now))
}

/** A post set as clients see it. */
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
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Every field of the account type is answered, null when unset. */
function postAnswer(row: PostSetPostRow, urls: Pick<UrlSigner, 'sign'>, now: Date): Post {
  const names = Object.keys(accountTypeEntry(row.accountType).fields)
  return {
    id: row.id,
    accountType: row.accountType,
    caption: row.caption,
    ...Object.fromEntries(names.map((name) => [name, row.fields[name] ?? null])),
    media: row.media.map((media) => mediaAnswer(media, urls, now)),
    ...(row.result ? { result: row.result } : {}),
  }
}

function mediaAnswer(row: PostSetMediaRow, urls: Pick<UrlSigner, 'sign'>, now: Date): PostMedia {
  const sign = (variant: string) => urls.sign({ id: row.mediaId, variant }, URL_HOURS, now)
  return {
    id: row.id,
    mediaLibraryId: row.mediaId,
    altText: row.altText,
    title: row.title,
    description: row.description,
    link: row.link,
    tags: row.tags,
    type: row.facts.type,
    url: sign('original'),
    thumbnailUrl: row.hasThumbnail ? sign('thumbnail') : null,
    width: row.facts.width,
    height: row.facts.height,
  }
}
