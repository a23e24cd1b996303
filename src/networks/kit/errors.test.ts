import { expect, test } from 'vitest'
import { errorTable, type Meaning } from './errors.ts'

const refused: Meaning = { kind: 'refused', reason: 'UNKNOWN', message: 'No.' }

test.each<[boolean, number, Meaning, boolean]>([
  [true, 400, refused, true],
  [true, 500, refused, false],
  [true, 400, { kind: 'ambiguous', message: '?' }, false],
  [false, 400, refused, false],
])('unknownProves %s: a refusal with %i that no row knows', (proves, status, meaning, certain) => {
  const { classify } = errorTable({
    rows: [],
    parse: (answer) => answer,
    otherwise: () => meaning,
    ...(proves ? { unknownProves: true } : {}),
  })
  const answer = { kind: 'answer', status, headers: {}, text: '', json: null } as const
  expect(classify(answer, new Date())).toMatchObject({ known: false, certain })
})
