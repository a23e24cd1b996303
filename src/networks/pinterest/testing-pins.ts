import type { Sample } from '../conformance/index.ts'
import { answer } from '../kit/testing.ts'

/** A post that the network takes. For tests alone. */
export function sample(files: readonly string[], more: Partial<Sample> = {}): Sample {
  return {
    title: 'pin',
    accountType: 'PINTEREST',
    caption: 'A loaf of bread',
    media: files.map((file) => ({ file })),
    ...more,
    fields: { title: 'Fresh bread', website: 'https://bakery.example/bread', board: null, ...more.fields },
  }
}

export const pinterestError = (status: number, code: number, message: string, headers: Record<string, string> = {}) =>
  answer(status, { code, message }, headers)
