import { describe, expect, test } from 'vitest'
import type { RichCaptionSegment } from '#contract'
import { commentaryOf, plainText } from './commentary.ts'
import { shownText } from './simulator-text.ts'

const written = (caption: string) => commentaryOf({ caption, fields: { richCaption: [caption] } })
const rich = (...richCaption: RichCaptionSegment[]) => {
  const caption = richCaption.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('')
  return commentaryOf({ caption, fields: { richCaption } })
}

describe('commentary', () => {
  test.each([
    ['plain words, a line\nbreak & an emoji 🥖', 'plain words, a line\nbreak & an emoji 🥖'],
    ['\\ | { } @ [ ] ( ) < > # * _ ~', '\\\\ \\| \\{ \\} \\@ \\[ \\] \\( \\) \\< \\> \\# \\* \\_ \\~'],
    ['#bread and #Größe!', '#bread and #Größe!'],
    ['#home_made', '#home\\_made'],
    ['#2026bread', '#2026bread'],
    ['#1 in town, C# and a#b', '\\#1 in town, C\\# and a\\#b'],
    ['(#bread)', '\\(#bread\\)'],
    ['##bread', '\\#\\#bread'],
    ['https://x.org/a_b#part?c=(1)', 'https://x.org/a\\_b\\#part?c=\\(1\\)'],
    ['x.org/#part', 'x.org/\\#part'],
    ['mail me@x.org', 'mail me\\@x.org'],
    ['{hashtag|\\#|bread}', '\\{hashtag\\|\\\\\\#\\|bread\\}'],
    ['@[Mill](urn:li:organization:1)', '\\@\\[Mill\\]\\(urn:li:organization:1\\)'],
  ])('%j', (caption, commentary) => {
    expect(written(caption)).toBe(commentary)
    // And the network shows what was meant.
    expect(shownText(commentary)).toBe(caption)
    expect(plainText(commentary)).toBe(caption.replace(/\s+/g, ' '))
  })

  test('a mention becomes one, by urn or number, and its name is escaped', () => {
    const mill = { id: '1234', name: 'Mill (West)' }
    expect(rich('By ', { text: 'Mill (West)', mention: mill }, '!')).toBe(
      'By @[Mill \\(West\\)](urn:li:organization:1234)!',
    )
    expect(rich({ text: '@Pat', mention: { id: 'urn:li:person:A-b_1', name: 'Pat' } })).toBe(
      '@[Pat](urn:li:person:A-b_1)',
    )
    expect(shownText('By @[Mill \\(West\\)](urn:li:organization:1234)!')).toBe('By Mill (West)!')
    expect(plainText('By @[Mill \\(West\\)](urn:li:organization:1234)!')).toBe('By Mill (West)!')
  })

  test('an id that names nobody leaves the text as it is', () => {
    expect(rich({ text: 'Mill_1', mention: { id: 'urn:li:share:1', name: 'Mill_1' } })).toBe('Mill\\_1')
    expect(rich({ text: 'Mill', mention: { id: '1)(urn', name: 'Mill' } })).toBe('Mill')
  })

  test('segments that are not the caption are not used', () => {
    const richCaption = [{ text: 'Mill', mention: { id: '1', name: 'Mill' } }]
    expect(commentaryOf({ caption: 'Another', fields: { richCaption } })).toBe('Another')
    expect(commentaryOf({ caption: 'Another', fields: {} })).toBe('Another')
  })
})

describe('texts of a listing', () => {
  test('hashtags as the network rewrites them are the same words', () => {
    expect(plainText('{hashtag|\\#|home\\_made} bread')).toBe('#home_made bread')
  })
  test('white space and composed characters make no difference', () => {
    expect(plainText('Cafe\u0301  au\nlait ')).toBe(plainText('Café au lait'))
  })
})

describe('the pretend network', () => {
  test.each([
    ['a (b) c', 'a '],
    ['50 * 2', '50 '],
    ['a_b', 'a'],
    ['me@x.org', 'me'],
    ['# x', ''],
  ])('cuts %j off', (commentary, shown) => {
    expect(shownText(commentary)).toBe(shown)
  })
})
