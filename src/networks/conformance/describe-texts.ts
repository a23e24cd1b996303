import querystring from 'node:querystring'
import { expect, test } from 'vitest'
import type { HttpRequest } from '../kit/http.ts'
import { deliver } from './deliver.ts'
import type { Sending } from './describe-reads.ts'
import type { ConformanceHarness, Sample } from './harness.ts'

const TEXTS = ['title', 'description', 'altText', 'firstComment', 'audioName']

/** No text of a post goes out with control characters, whatever it is called. */
export function describeTexts({ samples, followUp, optOut = {} }: ConformanceHarness, sending: Sending): void {
  const all = [...samples, ...(followUp ? [followUp('A comment')] : [])]
  test.each(all.map((sample) => [sample.title, sample] as const))(
    'texts go out without control characters: %s',
    async (_, original) => {
      const sample = sending.numbered(original)
      const written: string[] = []
      await sending.forgetPosts()
      const { post } = await deliver(
        sending.world(),
        withTexts(sample, (text) => `${text} and f\u0001irst\u000bsecond\u0085third\u009b`),
        {
          async intercept({ request, send }) {
            written.push(writtenIn(request))
            return send()
          },
        },
      )
      expect(post.kind).toBe(optOut.proofOfAbsence && post.kind === 'unknown' ? 'unknown' : 'made')
      expect(written.join()).not.toMatch(/[^\P{Cc}\n\r\t]/u)
      if (sample.caption === '') return
      const texts = [sample, ...(sample.thread ?? [])].map(({ caption }) => caption)
      expect((await sending.newPosts()).map(({ text }) => text)).toEqual(
        texts.map((text) => (text === '' ? '' : `${text} and first\nsecond\nthird`)),
      )
    },
  )
}

/** A sample with its texts changed. Those that it lacks stay away. */
function withTexts(sample: Sample, change: (text: string) => string): Sample {
  const changed = <T extends object>(texts: T): T =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, TEXTS.includes(name) && text ? change(text) : text]),
    ) as T
  const { fields, media, thread } = sample
  const caption = sample.caption && change(sample.caption)
  const richCaption = fields?.richCaption ? { richCaption: [caption] } : {}
  return {
    ...sample,
    caption,
    ...(fields ? { fields: { ...changed(fields), ...richCaption } } : {}),
    ...(media ? { media: media.map(changed) } : {}),
    ...(thread
      ? {
          thread: thread.map((part) => ({
            ...part,
            caption: part.caption && change(part.caption),
            media: (part.media ?? []).map(changed),
          })),
        }
      : {}),
  }
}

/** What a request says in words: not the bytes of files. */
function writtenIn({ json, form, body, headers }: HttpRequest): string {
  const isWords = /json|urlencoded/.test(headers?.['content-type'] ?? '')
  const text = body instanceof Uint8Array && isWords ? Buffer.from(body).toString() : ''
  const escaped = [JSON.stringify(json), JSON.stringify(form), text].join()
  const written = escaped.replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return querystring.unescape(written)
}
