import type { Sample, SampleMedia } from '../conformance/index.ts'
import { answer } from '../kit/testing.ts'

/** A post that the network takes. For tests alone. */
export function sample(media: readonly (string | SampleMedia)[], more: Partial<Sample> = {}): Sample {
  return {
    title: 'pin',
    accountType: 'PINTEREST',
    caption: 'A loaf of bread',
    media: media.map((file) => (typeof file === 'string' ? { file } : file)),
    ...more,
    fields: { title: 'Fresh bread', website: 'https://bakery.example/bread', board: null, ...more.fields },
  }
}

export const pinterestError = (status: number, code: number, message: string, headers: Record<string, string> = {}) =>
  answer(status, { code, message }, headers)
