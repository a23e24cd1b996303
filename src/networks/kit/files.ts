import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { MediaSource } from '../network.ts'

/** A form whose last field is a file, or a part of one. */
export interface FileForm {
  fields: readonly (readonly [string, string])[]
  /** Name of the field of the file, and of the file itself. */
  field: string
  filename: string
  /** Default: that of the file. */
  mimeType?: string
  source: MediaSource
  range?: { start: number; end: number }
  /** A part that is small enough to be held: it can be sent at once. */
  held?: true
}

/** A body that is read while it is sent. */
interface OpenedBody {
  body: Readable | Buffer
  headers: { 'content-type': string; 'content-length': string }
  close(): void
}

type Part = Pick<FileForm, 'source' | 'range'>

const lengthOf = ({ source, range }: Part) => (range ? range.end - range.start : source.facts.bytes)

export async function openFile(part: Part): Promise<OpenedBody> {
  const body = await part.source.open(part.range)
  const headers = { 'content-type': part.source.facts.mimeType, 'content-length': String(lengthOf(part)) }
  return { body, headers, close: () => body.destroy() }
}

export async function openForm(form: FileForm): Promise<OpenedBody> {
  const { fields, field, filename, source, range, held, mimeType = source.facts.mimeType } = form
  const boundary = `almanac-${randomBytes(18).toString('hex')}`
  const texts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: ${mimeType}\r\n\r\n`
  const head = Buffer.from(texts.join('') + file)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const bytes = await source.open(range)
  const whole = async function* () {
    yield head
    yield* bytes
    yield tail
  }
  const stream = Readable.from(whole(), { objectMode: false })
  return {
    body: held ? await buffer(stream) : stream,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + lengthOf({ source, ...(range ? { range } : {}) }) + tail.length),
    },
    close() {
      stream.destroy()
      bytes.destroy()
    },
  }
}
