import { afterEach, expect, test, vi } from 'vitest'
import { keyNames, matchesKeys } from './keys.ts'

afterEach(() => vi.unstubAllGlobals())

const on = (platform: string) => vi.stubGlobal('navigator', { platform })

interface Pressed extends Partial<Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>> {
  altGr?: boolean
}

function pressed(key: string, { altGr = false, ...held }: Pressed = {}): KeyboardEvent {
  const none = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false }
  return { key, ...none, ...held, getModifierState: (name: string) => name === 'AltGraph' && altGr } as KeyboardEvent
}

test.each<[string, string, KeyboardEvent, string, boolean]>([
  ['a letter', 'Linux', pressed('n'), 'n', true],
  ['a letter while capitals are locked', 'Linux', pressed('N'), 'n', true],
  ['a letter with Ctrl', 'Linux', pressed('n', { ctrlKey: true }), 'n', false],
  ['Ctrl+Z', 'Linux', pressed('z', { ctrlKey: true }), 'Mod+z', true],
  ['Ctrl+Shift+Z', 'Linux', pressed('Z', { ctrlKey: true, shiftKey: true }), 'Mod+z', false],
  ['Ctrl+Z on a Mac', 'MacIntel', pressed('z', { ctrlKey: true }), 'Mod+z', false],
  ['Command+Z on a Mac', 'MacIntel', pressed('z', { metaKey: true }), 'Mod+z', true],
  ['a sign with Shift', 'Linux', pressed('?', { shiftKey: true }), '?', true],
  ['a sign with AltGr', 'Linux', pressed('[', { altGr: true }), '[', true],
  ['a sign with AltGr on Windows', 'Win32', pressed('[', { altGr: true, ctrlKey: true, altKey: true }), '[', true],
  ['a sign with Option on a Mac', 'MacIntel', pressed(']', { altKey: true }), ']', true],
  ['a sign with Ctrl', 'Linux', pressed('[', { ctrlKey: true }), '[', false],
  ['a sign with Alt', 'Linux', pressed('[', { altKey: true }), '[', false],
  ['Alt with an arrow', 'Linux', pressed('ArrowUp', { altKey: true }), 'Alt+ArrowUp', true],
  ['an arrow', 'Linux', pressed('ArrowUp'), 'Alt+ArrowUp', false],
  ['Backspace', 'Linux', pressed('Backspace'), 'Delete', false],
  ['the delete key of a Mac', 'MacIntel', pressed('Backspace'), 'Delete', true],
])('%s (%s)', (_, platform, event, keys, matches) => {
  on(platform)
  expect(matchesKeys(event, keys)).toBe(matches)
})

test('keys have the names that are printed on them', () => {
  on('Linux')
  expect(keyNames('Mod+z')).toEqual(['Ctrl', 'Z'])
  expect(keyNames('Alt+ArrowUp')).toEqual(['Alt', '↑'])
  on('MacIntel')
  expect(keyNames('Mod+z')).toEqual(['⌘', 'Z'])
})
