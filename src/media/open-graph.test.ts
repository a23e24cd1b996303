import { describe, expect, test } from 'vitest'
import { charsetOf, readPage } from './open-graph.ts'

const head = (...tags: string[]) =>
  `<!doctype html><html><head>${tags.join('\n')}</head><body><p>Hello</p></body></html>`
const nothing = { title: null, description: null, image: null }

describe('what a page says of itself', () => {
  test('is read from Open Graph', () => {
    const page = head(
      '<title>Other</title>',
      '<meta property="og:title" content="Bread &amp; butter">',
      "<meta content='Fresh > stale' property='og:description' />",
      '<META PROPERTY=og:image CONTENT=https://example.com/a.jpg>',
    )
    expect(readPage(page)).toEqual({
      title: 'Bread & butter',
      description: 'Fresh > stale',
      image: 'https://example.com/a.jpg',
    })
  })

  test.each([
    ['the title of the page', '<title lang="de">\n Brot\n  &uuml;ber Nacht </title>', { title: 'Brot über Nacht' }],
    ['its description', '<meta name="description" content="&#8220;Rye&#x201D;">', { description: '“Rye”' }],
    ['a card of another network', '<meta name="twitter:title" content="T">', { title: 'T' }],
    ['its picture', '<meta name="twitter:image" content="/a.png">', { image: '/a.png' }],
    [
      'the secure picture',
      '<meta property="og:image" content="http://a"><meta property="og:image:secure_url" content="https://a">',
      { image: 'https://a' },
    ],
    [
      'the first of two',
      '<meta property="og:title" content="1"><meta property="og:title" content="2">',
      { title: '1' },
    ],
    [
      'what is in one line',
      '<meta charset=utf-8 name=viewport content=x property><meta property="og:title" content="1">',
      { title: '1' },
    ],
  ])('or from %s', (_, tags, facts) => {
    expect(readPage(head(tags))).toEqual({ ...nothing, ...facts })
  })

  test.each([
    ['nothing', ''],
    ['an empty title', head('<title> </title>', '<meta property="og:title" content="">')],
    ['what is in the body', '<head></head><body><meta property="og:title" content="1">'],
    ['a tag that does not end', '<meta property="og:title" content="1'.slice(0, 20)],
    ['other elements', '<metadata property="og:title" content="1"><titles>1</titles>'],
    ['a comment without an end', '<!-- <me'],
  ])('is nothing for %s', (_, page) => {
    expect(readPage(page)).toEqual(nothing)
  })

  test('holds no half characters and no reference to one', () => {
    const { title } = readPage(head('<meta property="og:title" content="a&#xD83E;&#0;&unknown;b">'))
    expect(title).toBe('a&unknown;b')
  })

  test.each([
    ['quotes without end', '<meta content="'],
    ['names without end', `<meta ${'a'.repeat(50)} `],
    ['equals signs', '<meta ='],
    ['titles', '<title>'],
    ['references', '<title>&#x&#'],
  ])('of a page of a stranger costs little: %s', (_, unit) => {
    const page = unit.repeat(Math.ceil(1_048_576 / unit.length))
    const began = performance.now()
    readPage(page)
    charsetOf(Buffer.from(page))
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})

test('the charset is the one that the page names', () => {
  expect(charsetOf(Buffer.from('<html><meta charset="iso-8859-1">'))).toBe('iso-8859-1')
  expect(charsetOf(Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'))).toBe(
    'windows-1252',
  )
  expect(charsetOf(Buffer.from('<html>'))).toBe('utf-8')
})
