import { expect, test } from 'vitest'
import { commentaryOf, plainText } from './commentary.ts'
import { shownText } from './simulator-posts.ts'

test.each([
  ['plain words, a line\nbreak & an emoji 🥖', 'plain words, a line\nbreak & an emoji 🥖'],
  ['\\ | { } @ [ ] ( ) < > # * _ ~', '\\\\ \\| \\{ \\} \\@ \\[ \\] \\( \\) \\< \\> \\# \\* \\_ \\~'],
  ['#2026_made', '#2026\\_made'],
  ['#1 in town, C# and a#b', '\\#1 in town, C\\# and a\\#b'],
  ['##bread, (#Größe)', '\\#\\#bread, \\(#Größe\\)'],
  ['https://x.org/a_b#part?c=(1)', 'https://x.org/a\\_b\\#part?c=\\(1\\)'],
  ['x.org/#part', 'x.org/\\#part'],
  ['{hashtag|\\#|bread}', '\\{hashtag\\|\\\\\\#\\|bread\\}'],
  ['@[Mill](urn:li:organization:1)', '\\@\\[Mill\\]\\(urn:li:organization:1\\)'],
])('%j is written, shown and compared as what it is', (caption, commentary) => {
  expect(commentaryOf({ caption, fields: {} })).toBe(commentary)
  expect(shownText(commentary)).toBe(caption)
  expect(plainText(commentary)).toBe(caption.replace(/\s+/g, ' '))
})

test.each([
  ['By Mill (West)', 'Mill (West)', '1234', 'By @[Mill \\(West\\)](urn:li:organization:1234)'],
  ['By @Pat', '@Pat', 'urn:li:person:A-b_1', 'By @[Pat](urn:li:person:A-b_1)'],
  // Ids that name no one.
  ['By Mill_1', 'Mill_1', 'urn:li:share:1', 'By Mill\\_1'],
  ['By Mill', 'Mill', '1)(urn', 'By Mill'],
  // Segments that are not the caption.
  ['Another', 'Mill', '1234', 'Another'],
])('%j with a mention %j of %j: %j', (caption, text, id, commentary) => {
  const richCaption = ['By ', { text, mention: { id, name: text } }]
  expect(commentaryOf({ caption, fields: { richCaption } })).toBe(commentary)
  expect(plainText(commentary)).toBe(caption.replace('@', ''))
  expect(shownText(commentary)).toBe(caption.replace('@', ''))
})

test.each([
  ['{hashtag|\\#|home\\_made} x', '#home_made x', '#home_made x'],
  ['Cafe\u0301  au\nlait ', 'Café au lait', 'Cafe\u0301  au\nlait '],
  // What is not escaped cuts it off.
  ['a (b) c', 'a (b) c', 'a '],
  ['me@x.org', 'me@x.org', 'me'],
  ['# x', '# x', ''],
])('%j is compared as %j, and the simulator shows %j', (commentary, text, shown) => {
  expect([plainText(commentary), shownText(commentary)]).toEqual([text, shown])
})
