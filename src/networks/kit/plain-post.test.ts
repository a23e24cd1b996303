import { expect, test } from 'vitest'
import type { AccountType } from '#contract'
import { checkPosts } from '../check-posts.ts'
import type { PostToCheck } from '../network.ts'
import { loadNetworks } from '../registry.ts'
import { plainPost } from './plain-post.ts'

const post = (more: Partial<PostToCheck> = {}): PostToCheck => ({
  accountType: 'BLUESKY',
  caption: 'Bread',
  fields: {},
  media: [],
  ...more,
})
const joined = ({ fields }: PostToCheck) =>
  (fields.richCaption as (string | { text: string })[]).map((each) => (typeof each === 'string' ? each : each.text))
const photo = {
  facts: { type: 'IMAGE', mimeType: 'image/jpeg', bytes: 50_000, width: 800, height: 800, animated: false },
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
} as unknown as PostToCheck['media'][number]

test('shape-70: every text of a post is plain, wherever it stands', () => {
  const mention = { id: 'urn:li:organization:1', name: 'The\u0007 Mill' }
  const fields = {
    title: 'First\u000bsecond',
    firstComment: 'First\u000bsecond',
    richCaption: ['a\u0001\u2028b', { text: 'The\u0007 Mill', mention }],
    board: { id: '1', name: 'Bre\u0002ad' },
    collaborators: ['mi\u0003ll'],
    videoCoverImage: 2,
    audio: null,
  }
  const item = { ...photo, title: 'A\u0085b', altText: 'A\u0085b', tags: [{ x: 0, y: 1, text: 'mi\u0001ll' }] }
  expect(plainPost(post({ caption: 'a\u0001\u2028bThe\u0007 Mill', fields, media: [item] }))).toEqual(
    post({
      caption: 'a\nbThe Mill',
      fields: {
        title: 'First second',
        firstComment: 'First\nsecond',
        richCaption: ['a\nb', { text: 'The Mill', mention: { ...mention, name: 'The Mill' } }],
        board: { id: '1', name: 'Bread' },
        collaborators: ['mill'],
        videoCoverImage: 2,
        audio: null,
      },
      media: [{ ...photo, title: 'A b', altText: 'A\nb', tags: [{ x: 0, y: 1, text: 'mill' }] }],
    }),
  )
})

test('a post of plain texts is the same object', () => {
  const plain = post({ caption: 'a\r\nb', fields: { title: 'Bread', richCaption: ['a\r', '\nb'] }, media: [photo] })
  expect(plainPost(plain)).toBe(plain)
})

test.each([
  [['a\r', '\nb']],
  [['a\r', '', '\nb\u000b']],
  [['a\r', 'b\u0001', '\u0001', '\r']],
  [['\u000b', '\u000b\r', '\r\n']],
  [['a\r', '\u0001', '\nb']],
])('the segments %j still add up to the caption', (richCaption) => {
  const plain = plainPost(post({ caption: richCaption.join(''), fields: { richCaption } }))
  expect(joined(plain).join('')).toBe(plain.caption)
  const parts = richCaption.map((text) => ({ text, mention: { id: '1', name: 'x' } }))
  const withMentions = plainPost(post({ caption: richCaption.join(''), fields: { richCaption: parts } }))
  expect(joined(withMentions)).toEqual(joined(plain))
})

const networks = await loadNetworks()
const TYPES = ['FACEBOOK', 'TWITTER', 'LINKEDIN_PAGE', 'LINKEDIN_PERSONAL', 'GMB', 'THREADS', 'BLUESKY'] as const
const FIELDS: Partial<Record<AccountType, object>> = { FACEBOOK: { type: 'TEXT' }, GMB: { ctaType: 'NONE' } }
const textPost = (accountType: AccountType, caption: string) =>
  post({ accountType, caption, fields: { ...FIELDS[accountType] } })

test.each(TYPES)('shape-70: a text of nothing but control characters is none: %s', (accountType) => {
  const { problems } = checkPosts(networks, [textPost(accountType, '\u000b\u0001\u2028\u0085')], [])
  expect(problems.map(({ code }) => code)).toContain('post:caption_required')
})

test.each(TYPES)('what goes out is counted, and a warning names what does not: %s', (accountType) => {
  const odd = checkPosts(networks, [textPost(accountType, 'a\u000bb\u0001\u2028')], [])
  const plain = checkPosts(networks, [textPost(accountType, 'a\nb\n')], [])
  expect(odd.counts).toEqual(plain.counts)
  expect(odd.problems).toEqual(plain.problems)
  expect(odd.warnings.filter(({ path }) => path === 'posts[0].caption')).toMatchObject([
    { code: 'post:field_invalid', accountType, message: expect.stringContaining('(U+000B, U+0001, U+2028)') },
  ])
  expect(plain.warnings).toEqual([])
})

test('the warning stands at each text, once for a rich caption, and of lines of a title and ends of lines there is none', () => {
  const paths = (more: Partial<PostToCheck>) =>
    checkPosts(networks, [post(more)], [])
      .warnings.filter(({ message }) => message.includes('control characters'))
      .map(({ path }) => path)
  const caption = 'a\u0001\u0002\u0003\u0004'
  expect(paths({ accountType: 'LINKEDIN_PAGE', caption, fields: { richCaption: [caption] } })).toEqual([
    'posts[0].caption',
  ])
  const fields = { title: 'a\u000bb', website: '', board: null }
  const media = [{ ...photo, altText: 'a\u0007' }]
  expect(paths({ accountType: 'PINTEREST', fields, media })).toEqual(['posts[0].title', 'posts[0].media[0].altText'])
  const lines = checkPosts(
    networks,
    [post({ accountType: 'PINTEREST', fields: { ...fields, title: 'a\nb' }, media })],
    [],
  )
  expect(lines.warnings).toMatchObject([
    { path: 'posts[0].title', message: expect.stringContaining('It is sent with spaces') },
    { path: 'posts[0].media[0].altText', message: expect.stringContaining('sent with line breaks') },
  ])
  expect(paths({ accountType: 'YOUTUBE', caption: 'a\rb\r\n', fields: { title: 'a\nb', privacy: 'PUBLIC' } })).toEqual(
    [],
  )
})
