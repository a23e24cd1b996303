import { expect, test } from 'vitest'
import type { NetworkDescription } from '#contract'
import { coverOf } from './use-cover.ts'

const described = (fields: object[], options: object[] = []) => ({ fields, options }) as unknown as NetworkDescription
const seconds = described([{ name: 'cover', picker: 'moment' }])
const milliseconds = described([{ name: 'text', picker: 'lines' }], [{ name: 'at', picker: 'millisecond' }])

test.each([
  ['a field in seconds', { cover: 2.5 }, seconds, 2.5],
  ['the first frame', { cover: 0 }, seconds, 0],
  ['an option in milliseconds', { text: 'A text', options: { at: 250 } }, milliseconds, 0.25],
  ['a story, which has none', { type: 'STORY', cover: 2.5 }, seconds, null],
  ['nothing chosen', { options: {} }, milliseconds, null],
  ['a network that takes none', { cover: 2.5 }, described([{ name: 'cover', picker: null }]), null],
  ['a network that is not known yet', { cover: 2.5 }, undefined, null],
] as const)('the cover of %s', (_, fields, network, cover) => {
  expect(coverOf({ fields }, network)).toBe(cover)
})
