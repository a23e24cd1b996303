import { i18n } from '@lingui/core'
import { afterEach, describe, expect, test } from 'vitest'
import { languageOf } from '../language/language.ts'
import { wordsOfCode, wordsOfProblem, wordsOfWhy } from '../language/server-words.ts'
import { errorOf } from './api-error.ts'

afterEach(() => i18n.activate('en'))

function inGerman(): void {
  i18n.load('de', {
    'post-set:locked': ['Der Beitrag ist gesperrt'],
    'post:caption_too_long': ['Der Text ist zu lang'],
    'request:refused': ['Das ist gerade nicht möglich'],
  })
  i18n.activate('de')
}

const answer = (body: object) => new Response(JSON.stringify(body), { status: 412 })

describe('words of the server', () => {
  test('in English are its own', () => {
    const message = 'Ada has locked it.'
    expect(wordsOfCode('post-set:locked', message)).toBe(message)
    expect(wordsOfProblem({ code: 'post-set:locked', message })).toBe(message)
  })

  test('are those of the catalog where it has the code, with the numbers at stake', () => {
    inGerman()
    expect(wordsOfCode('role:unheard-of', 'Gardener')).toBe('Gardener')
    expect(wordsOfProblem({ code: 'post-set:locked', message: 'x' })).toBe('Der Beitrag ist gesperrt')
    expect(wordsOfProblem({ code: 'post:caption_too_long', message: 'x', limit: 280, actual: 300 })).toBe(
      'Der Text ist zu lang (300, limit 280)',
    )
  })

  test('why something is not done have its values', () => {
    const stopped = { code: 'why:stopped', message: 'Publishing is stopped (A fair).', values: { reason: 'A fair' } }
    expect(wordsOfWhy(stopped)).toBe('Publishing is stopped (A fair).')
    i18n.load('de', { 'why:stopped': ['Angehalten (', ['reason'], ')'] })
    i18n.activate('de')
    expect(wordsOfWhy(stopped)).toBe('Angehalten (A fair)')
  })

  test('that only the sentence explains keep it', () => {
    inGerman()
    expect(wordsOfProblem({ code: 'request:refused', message: 'No post has failed.' })).toBe(
      'Das ist gerade nicht möglich (No post has failed.)',
    )
  })

  test('that say why by an id of their own differ by it', async () => {
    inGerman()
    i18n.load('de', { 'why:stopped': ['Angehalten (', ['reason'], ')'] })
    i18n.activate('de')
    const why = { code: 'why:stopped', message: 'Publishing is stopped (A fair).', values: { reason: 'A fair' } }
    const error = await errorOf(answer({ code: 'request:refused', message: why.message, why }))
    expect([error.code, error.message]).toEqual(['request:refused', 'Angehalten (A fair)'])
  })

  test('reach the screens with every problem and each of its entries', async () => {
    inGerman()
    const entry = { code: 'post:caption_too_long', message: 'x', path: 'posts[0].caption', pointer: '#' }
    const error = await errorOf(answer({ code: 'post-set:locked', message: 'x', errors: [entry] }))
    expect(error.message).toBe('Der Beitrag ist gesperrt')
    expect(error.errors).toEqual([{ ...entry, message: 'Der Text ist zu lang' }])
  })
})

test.each([
  [['de-CH', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr'], 'en'],
  [['en-US', 'de'], 'en'],
  [['en-XA'], 'pseudo'],
  [['pseudo'], 'en'],
  [[], 'en'],
] as const)('%j is shown in %s', (tags, language) => {
  expect(languageOf(tags)).toBe(language)
})
