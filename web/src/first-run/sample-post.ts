import type { AccountType, PostSet, SocialSet } from '#contract'
import { ApiError } from '../api/api-error.ts'
import { readAgain } from '../api/change.ts'
import { type Body, call, readAsset } from '../api/client.ts'
import { nextSensibleTime, today } from '../planning/dates/dates.ts'

export interface Sample {
  /** Of the file. */
  name: string
  /** Where the page has it. */
  address: string
  altText: string
  caption: string
}

type Posts = Body<'POST /post-sets'>['posts']

/** What a post with one picture needs besides on each account type; null where none takes a picture. */
const FIELDS: Readonly<Record<AccountType, ((caption: string) => object) | null>> = {
  INSTAGRAM: () => ({ type: 'IMAGE', collaborators: [] }),
  FACEBOOK: (caption) => ({ type: 'IMAGE', richCaption: [caption] }),
  TWITTER: () => ({}),
  LINKEDIN_PAGE: (caption) => ({ richCaption: [caption] }),
  LINKEDIN_PERSONAL: (caption) => ({ richCaption: [caption] }),
  GMB: () => ({ ctaType: 'NONE' }),
  PINTEREST: (caption) => ({ title: caption.slice(0, MAX_TITLE), website: '' }),
  TIKTOK: () => ({}),
  YOUTUBE: null,
  THREADS: () => ({}),
  BLUESKY: () => ({}),
}

/** Of a pin. */
const MAX_TITLE = 100
const ASK_MS = 500
const MOST_ASKED = 60

/** Puts a picture into the library of a brand, and makes a draft with it for tomorrow on all accounts that take one. */
export async function createSamplePost(socialSet: SocialSet, sample: Sample): Promise<PostSet> {
  const mediaLibraryId = await inLibrary(socialSet.id, sample)
  const { caption, altText } = sample
  const types = [...new Set(socialSet.accounts.map(({ type }) => type))]
  const posts = types.flatMap((accountType) => {
    const fields = FIELDS[accountType]
    return fields ? [{ accountType, caption, media: [{ mediaLibraryId, altText }], ...fields(caption) }] : []
  })
  const zone = socialSet.timezone
  const made = await call('POST /post-sets', {
    body: {
      socialSetId: socialSet.id,
      scheduledAt: nextSensibleTime(today(zone).add({ days: 1 }), zone),
      status: 'DRAFT',
      approval: 'NONE',
      posts: posts as Posts,
    },
  })
  for (const name of ['POST /media-upload', 'POST /post-sets'] as const) void readAgain(name)
  return made
}

async function inLibrary(socialSetId: string, { name, address }: Sample): Promise<string> {
  const picture = await readAsset(address)
  const file = new File([picture], name, { type: picture.type })
  let upload = await call('POST /media-upload', { body: { socialSetId, name }, file })
  for (let asked = 0; upload.status !== 'READY' && upload.status !== 'FAILED' && asked < MOST_ASKED; asked++) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
    upload = await call('GET /media-upload/:id', { params: { id: upload.id } })
  }
  if (upload.mediaLibraryId) return upload.mediaLibraryId
  const { code = 'media-upload:failed', message = '' } = upload.error ?? {}
  throw new ApiError({ status: 409, code, message })
}
