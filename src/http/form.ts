import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyConfig, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { entryAt, LIMITS, ProblemError } from '#contract'
import { type ProgressBounds, watchProgress } from '#importing'
import { nameOfFormFile } from '#media'
import { requireClient } from './problems.ts'

/** Where a form carries its file. */
const FILE_FIELD = 'file'

/** Says how the other fields are written (RFC 7578, 4.6), which is UTF-8 here; browsers fill it in by themselves. */
const CHARSET_FIELD = '_charset_'

/** Of the fields beside the file: an alternative text may have 5,000 characters of four bytes. */
const PARTS: BusboyConfig['limits'] = {
  fieldNameSize: 100,
  fieldSize: 32_768,
  fields: 10,
  files: 1,
  parts: 11,
  headerPairs: 20,
}

/** A form whose file has been received. Its fields are read as the same of a body in JSON are. */
export abstract class Form {
  readonly fields: Readonly<Record<string, unknown>>

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields
  }
}

/**
 * Reads a form with one file, which is its last part, so that what it belongs to is known before its bytes.
 *
 * @param progress what the client has to send, from the first byte of the form to its last
 * @param onFile takes the file's stream to its end, or rejects
 * @returns what `onFile` gave, when the form is whole
 * @throws ProblemError `request:invalid_body`, `request:too_large` of what is beside the file, what `onIdle` gives, what `onFile` rejected with, or the request's own error when it broke off
 */
export async function readForm<T>(
  raw: IncomingMessage,
  { onIdle, ...bounds }: ProgressBounds & { onIdle(): ProblemError },
  onFile: (fields: Record<string, unknown>, fileName: string | null, file: Readable) => Promise<T>,
): Promise<T> {
  requireClient(raw)
  const form = openForm(raw.headers)
  const fields = new Map<string, string>()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  /** What is read already may hold more parts: they are of no interest any more. */
  let over = false
  let file: BusboyFileStream | null = null
  let taken: Promise<T> | null = null
  /** Bytes of the form. */
  let total = 0

  const progress = watchProgress(bounds, () => giveUp(onIdle()))
  const wait = () => progress.wait()
  /** While the form takes no more, the client is not waited for. */
  const came = (bytes: Buffer) => {
    progress.came(bytes.length)
    total += bytes.length
    if (!over && total - (file?.bytesRead ?? 0) > LIMITS.bodyBytes) return giveUp(tooMuchBeside())
    if (!form.writableNeedDrain) wait()
  }
  const stop = () => {
    raw.off('data', came)
    form.off('drain', wait)
    progress.stop()
  }

  function giveUp(error: unknown): void {
    over = true
    stop()
    raw.unpipe(form)
    file?.destroy(error as Error)
    // What was received is no good without the end of the form: who takes it has to hear of it first.
    const settled = taken ? taken.then(() => {}).catch(() => {}) : Promise.resolve()
    void settled.then(() => reject(error))
  }

  form.on('field', (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
    if (name === CHARSET_FIELD) return
    if (taken) giveUp(wrongField(name, `${name} must come before the file.`))
    else if (fields.has(name)) giveUp(wrongField(name, `${name} occurs twice.`))
    else if (valueCut) giveUp(wrongField(name, `${name} is too long.`))
    else fields.set(name, value)
  })
  form.on('file', (name: string, stream: BusboyFileStream, fileName: string | undefined) => {
    stream.on('error', () => {})
    if (over) return void stream.destroy()
    if (name !== FILE_FIELD) return giveUp(wrongField(name, `${name} is not known. The file goes into ${FILE_FIELD}.`))
    file = stream
    taken = onFile(Object.fromEntries(fields), nameOfFormFile(fileName ?? ''), stream)
    taken.catch(giveUp)
  })
  form.on('filesLimit', () => giveUp(wrongField(FILE_FIELD, 'Send one file in a request.')))
  form.on('fieldsLimit', () => giveUp(notAForm('It has too many fields.')))
  form.on('partsLimit', () => giveUp(notAForm('It has too many parts.')))
  form.on('error', () => giveUp(notAForm('It is damaged or incomplete.')))
  form.on('finish', () => {
    stop()
    if (taken) resolve(taken)
    else giveUp(wrongField(FILE_FIELD, `${FILE_FIELD} is required: the file itself, as the last part of the form.`))
  })
  raw.once('error', giveUp)
  raw.pipe(form)
  // Behind `pipe`, which has handed them over by then.
  raw.on('data', came)
  form.on('drain', wait)
  return promise
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: PARTS,
      preservePath: true,
    })
  } catch {
    throw notAForm('Its content-type needs a boundary.')
  }
}

const wrongField = (name: string, message: string) => wrongAt([name], message)

function wrongAt(place: readonly string[], message: string): ProblemError {
  return new ProblemError('request:invalid_body', message, {
    entries: [entryAt(place, 'request:invalid_body', message)],
  })
}

function tooMuchBeside(): ProblemError {
  const most = `${LIMITS.bodyBytes / 1024} KiB`
  return new ProblemError('request:too_large', `A form may have ${most} beside its file. Send the file and its fields.`)
}

function notAForm(why: string): ProblemError {
  return wrongAt([], `The body cannot be read as multipart/form-data. ${why}`)
}
