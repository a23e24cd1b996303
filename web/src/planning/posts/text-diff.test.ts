import { expect, test } from 'vitest'
import { diffText } from './text-diff.ts'

const same = (text: string) => ({ kind: 'same', text })
const gone = (text: string) => ({ kind: 'gone', text })
const added = (text: string) => ({ kind: 'new', text })

test('what stayed, went and came is reported word by word', () => {
  expect(diffText('Please do not knock.', 'Please come and knock.')).toEqual([
    same('Please '),
    gone('do not '),
    added('come and '),
    same('knock.'),
  ])
  expect(diffText('One two', 'One two three')).toEqual([same('One '), gone('two'), added('two three')])
  expect(diffText('', 'New')).toEqual([added('New')])
  expect(diffText('Old', '')).toEqual([gone('Old')])
  expect(diffText('Same', 'Same')).toEqual([same('Same')])
  expect(diffText('', '')).toEqual([])
})

test('both texts can be put together again from the parts', () => {
  const [from, to] = ['a b\n c d  e f', 'b a\n c  e g f h']
  const parts = diffText(from, to)
  const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : part.text)).join('')
  expect([without('new'), without('gone')]).toEqual([from, to])
})

test('texts of many words are not compared word by word', () => {
  const long = 'word '.repeat(700)
  expect(diffText(long, `${long}end`)).toEqual([gone(long), added(`${long}end`)])
})
