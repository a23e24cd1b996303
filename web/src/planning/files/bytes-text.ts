import { wordsLocale } from '../../language/language.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.5 GB"; a kilobyte has 1,000 bytes. */
export function bytesText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(wordsLocale(), {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step)
}
