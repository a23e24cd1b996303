import { expect, test } from 'vitest'
import { LABEL_COLORS } from './labels.ts'

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: string, two: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(two)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test.each([...LABEL_COLORS])('%s carries white text, reads on white and stands out from light and dark', (color) => {
  expect(contrast(color, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  for (const ground of ['#f8f9fa', '#242424', '#2e2e2e']) {
    expect(contrast(color, ground), ground).toBeGreaterThanOrEqual(3)
  }
})

test('there are twelve, each once', () => {
  expect(new Set(LABEL_COLORS).size).toBe(12)
})
