import { i18n } from '@lingui/core'
import { afterAll, expect, test } from 'vitest'
import { deviceText } from './device-text.ts'

afterAll(() => i18n.activate('en'))

test('a device is named in the language of the screen', () => {
  expect(['Safari on iPhone', 'A browser on Windows', 'An unknown browser', 'Firefox'].map(deviceText)).toEqual([
    'Safari on iPhone',
    'A browser on Windows',
    'An unknown browser',
    'Firefox',
  ])
})
