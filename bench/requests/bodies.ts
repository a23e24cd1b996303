import { type AccountType, accountTypes, LIMITS } from '#contract'
import { mixed, repeated, UNITS } from './texts.ts'

export interface HeavyBody {
  name: string
  json: string
}

/** What a body may have at most, with room for the rest of it. */
const MOST = LIMITS.bodyBytes - 200

const many = (one: string, bytes = MOST) =>
  Array(Math.floor(bytes / (one.length + 1)))
    .fill(one)
    .join(',')
const fields = (bytes: number) => {
  const parts: string[] = []
  for (let index = 0, size = 0; size < bytes - 20; index++) {
    const part = `"a${index}":0`
    parts.push(part)
    size += part.length + 1
  }
  return parts.join(',')
}

/** Names of lists that some route knows. */
const LISTS = ['posts', 'ids', 'labelsId', 'socialSetIds', 'scopes', 'values']
/** Names of texts that some route knows. */
const TEXTS = ['email', 'password', 'token', 'code', 'name', 'timezone', 'content', 'url', 'scheduledAt', 'socialSetId']

/** Bodies that are wrong for every route, as large as one may be. `bytes`: how large. */
export function wrongBodies(bytes = MOST): HeavyBody[] {
  return [
    { name: 'unknown fields', json: `{${fields(bytes)}}` },
    {
      name: 'long unknown names',
      json: `{${Array.from({ length: 50 }, (_, i) => `"${i}${'n'.repeat(bytes / 50 - 10)}":0`)}}`,
    },
    { name: 'numbers', json: `[${many('0', bytes)}]` },
    { name: 'empty objects', json: `[${many('{}', bytes)}]` },
    { name: 'nested lists', json: `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}` },
    { name: 'nested objects', json: `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}` },
    { name: 'half characters', json: `[${many('"\\ud800"', bytes)}]` },
    ...LISTS.map((list) => ({ name: `${list}: empty objects`, json: `{"${list}":[${many('{}', bytes - 20)}]}` })),
    ...LISTS.map((list) => ({ name: `${list}: numbers`, json: `{"${list}":[${many('0', bytes - 20)}]}` })),
    ...TEXTS.map((text) => ({
      name: `${text}: dotted Cyrillic`,
      json: `{"${text}":"${repeated('Ж.Я.', (bytes - 20) / 1.5)}"}`,
    })),
    ...['1', ' ', '2026-'].map((unit) => ({
      name: `scheduledAt: ${JSON.stringify(unit)}`,
      json: `{"scheduledAt":"${unit.repeat((bytes - 20) / unit.length)}"}`,
    })),
  ]
}

export interface PostSetPlace {
  socialSetId: string
  /** Items of its media library. */
  media: readonly string[]
}

const FIELDS: Readonly<Partial<Record<AccountType, object>>> = {
  INSTAGRAM: { type: 'IMAGE', collaborators: [] },
  FACEBOOK: { type: 'TEXT' },
  GMB: { ctaType: 'NONE' },
  PINTEREST: { title: 't', website: 'https://example.com' },
  YOUTUBE: { title: 't', privacy: 'PUBLIC' },
}
const RICH: readonly AccountType[] = ['FACEBOOK', 'LINKEDIN_PAGE', 'LINKEDIN_PERSONAL']

export function post(accountType: AccountType, caption: string, more: object = {}): object {
  const rich = RICH.includes(accountType) ? { richCaption: [caption] } : {}
  return { accountType, caption, media: [], ...FIELDS[accountType], ...rich, ...more }
}

function postSet({ socialSetId }: PostSetPlace, posts: unknown, more: object = {}): string {
  return JSON.stringify({
    socialSetId,
    scheduledAt: '2090-06-01T10:00:00Z',
    status: 'SCHEDULED',
    approval: 'NONE',
    posts,
    ...more,
  })
}

/** Bodies of post sets whose shape is wrong, as large as one may be. */
export function wrongPostSets(place: PostSetPlace): HeavyBody[] {
  const raw = (posts: string) =>
    `{"socialSetId":"${place.socialSetId}","scheduledAt":"2090-06-01T10:00:00Z","status":"DRAFT","approval":"NONE","posts":${posts}}`
  const eleven = (content: (bytes: number) => string, type: AccountType = 'TWITTER') =>
    `[${accountTypes.map(() => `{"accountType":"${type}","caption":"",${content(MOST / 11 - 80)}}`).join(',')}]`
  return [
    {
      name: 'one post, empty media items',
      json: raw(`[{"accountType":"TWITTER","caption":"","media":[${many('{}', MOST - 200)}]}]`),
    },
    { name: '11 posts, empty media items', json: raw(eleven((bytes) => `"media":[${many('{}', bytes)}]`)) },
    { name: '11 posts, unknown fields', json: raw(eleven((bytes) => fields(bytes))) },
    {
      name: '11 posts, wrong segments',
      json: raw(eleven((bytes) => `"media":[],"richCaption":[${many('0', bytes)}]`, 'FACEBOOK')),
    },
    {
      name: '11 posts, wrong collaborators',
      json: raw(eleven((bytes) => `"media":[],"collaborators":[${many('0', bytes)}]`, 'INSTAGRAM')),
    },
    {
      name: '11 posts, 50 media of wrong tags',
      json: raw(
        eleven(
          (bytes) =>
            `"media":[${Array(50)
              .fill(`{"tags":[${many('{}', bytes / 50 - 15)}]}`)
              .join(',')}]`,
          'INSTAGRAM',
        ),
      ),
    },
    // As many things as a body may have, all of them wrong.
    {
      name: '11 posts, 50 media of 18 wrong fields',
      json: raw(
        eleven(
          () =>
            `"media":[${Array(50)
              .fill(`{${fields(130)},"altText":0,"title":0,"tags":0}`)
              .join(',')}]`,
        ),
      ),
    },
    {
      name: '11 posts, 1,000 wrong segments',
      json: raw(eleven(() => `"media":[],"richCaption":[${Array(1_000).fill('0').join(',')}]`, 'FACEBOOK')),
    },
    {
      name: '11 posts, 50 media of 30 wrong tags',
      json: raw(
        eleven(
          () =>
            `"media":[${Array(50)
              .fill(`{"tags":[${Array(30).fill('{}').join(',')}]}`)
              .join(',')}]`,
          'INSTAGRAM',
        ),
      ),
    },
    {
      name: '11 posts, captions of a mebibyte',
      json: raw(eleven((bytes) => `"media":[],"title":"${'x'.repeat(bytes)}"`)),
    },
    { name: 'one post, a caption of a mebibyte', json: postSet(place, [post('TWITTER', 'x'.repeat(MOST - 400))]) },
  ]
}

/** A scheduled set for one network with a text that is legal in shape, for every network and text. */
export function longTexts(place: PostSetPlace, types: readonly AccountType[] = accountTypes): HeavyBody[] {
  const units = Object.entries(UNITS).map(([name, unit]) => [name, repeated(unit, captionUnits(unit))] as const)
  const texts = [...units, ...Object.entries(mixed(LIMITS.captionCodePoints))]
  return types.flatMap((type) =>
    texts.map(([name, text]) => ({ name: `${type}: ${name}`, json: postSet(place, [post(type, text)]) })),
  )
}

/** As many UTF-16 units of it as a caption may have code points. */
function captionUnits(unit: string): number {
  return Math.floor((LIMITS.captionCodePoints / [...unit].length) * unit.length)
}

/** The largest sets of legal shape: posts of every network, with all that they may have. */
export function largePostSets(place: PostSetPlace, more: object = {}): HeavyBody[] {
  const share = Math.floor(LIMITS.captionsOfSetCodePoints / accountTypes.length)
  const units = Object.entries(UNITS)
  const texts = [
    ...units.map(([name, unit]) => [name, unit.repeat(Math.floor(share / [...unit].length))] as const),
    ...Object.entries(mixed(share - (share % 8))),
  ]
  const media = (tags: number, text = '') =>
    Array.from({ length: LIMITS.mediaPerPost }, (_, index) => ({
      mediaLibraryId: place.media[index % place.media.length],
      altText: text,
      title: text,
      description: text,
      link: text,
      tags: Array.from({ length: tags }, () => ({ x: 0.5, y: 0.5, text: 'w' })),
    }))
  const all = (caption: string, more: object = {}) => accountTypes.map((type) => post(type, caption, more))
  const segments = Array.from({ length: LIMITS.richCaptionSegments }, () => ({
    text: 'a',
    mention: { id: '?', name: '?' },
  }))
  const rich = (type: AccountType) => (RICH.includes(type) ? { richCaption: segments } : {})
  return [
    ...texts.map(([name, text]) => ({ name: `11 posts: ${name}`, json: postSet(place, all(text), more) })),
    { name: '11 posts: 50 media', json: postSet(place, all('x', { media: media(0) }), more) },
    {
      name: '11 posts: 50 media with texts',
      json: postSet(place, all('x', { media: media(0, 'Ж.Я.'.repeat(60)) }), more),
    },
    {
      name: '11 posts: 50 media with family emoji',
      json: postSet(place, all('x', { media: media(0, '👩‍👩‍👧‍👦'.repeat(15)) }), more),
    },
    { name: '11 posts: 50 media with 5 tags', json: postSet(place, all('x', { media: media(5) }), more) },
    {
      name: '3 posts: 50 media with 100 tags',
      json: postSet(place, all('x', { media: media(100) }).slice(0, 3), more),
    },
    {
      name: '11 posts: 1,000 mentions',
      json: postSet(
        place,
        accountTypes.map((type) => post(type, 'a'.repeat(1_000), rich(type))),
        more,
      ),
    },
    {
      name: '11 INSTAGRAM: 100 wrong collaborators',
      json: postSet(
        place,
        accountTypes.map(() => post('INSTAGRAM', 'x', { collaborators: Array(100).fill('?') })),
        more,
      ),
    },
  ]
}
