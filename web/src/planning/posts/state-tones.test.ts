import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STATE_TONES } from './state-tones.ts'

test('a state has one color: on cards the one that panels and lists have', () => {
  const sheet = readFileSync(join(import.meta.dirname, '../../calendar/card.module.css'), 'utf8')
  const tokens: Readonly<Record<string, string>> = {
    indigo: '--accent-text',
    orange: '--warn',
    teal: '--ok',
    red: '--danger',
  }
  const rules = [...sheet.matchAll(/([^{}]*)\{\s*color: var\((--[\w-]+)\);\s*\}/g)]
  const states = Object.keys(STATE_TONES) as (keyof typeof STATE_TONES)[]
  for (const state of states) {
    const own = rules.filter(([, selectors = '']) => selectors.includes(`.state[data-state="${state}"]`))
    const colors = own.map(([, , color]) => color)
    const expected = state === 'held' ? undefined : tokens[STATE_TONES[state]]
    expect(colors, state).toEqual(expected ? [expected] : [])
  }
})
