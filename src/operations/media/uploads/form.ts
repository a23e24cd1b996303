import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type AskedQuery, LIMITS, ProblemError } from '#contract'
import { newId } from '#domain'
import type { PlanRoom, ReceiveDeps } from '#importing'
import {
  completeDirectUpload,
  type Database,
  findStoredAnswer,
  type MediaUploadRow,
  removeDirectUpload,
} from '#persistence'
import type { Caller } from '../../caller.ts'
import { beginUpload, fileTooLarge, planProblem, requireUploadPlace } from './begin.ts'
import { continueUpload } from './continue.ts'

/** What a form may have beside the file, its boundaries included. */
const FORM_BYTES = 65_536

/** A form whose file has arrived. It is the body of its request: what it says, and what its bytes are. */
export class ReceivedForm {
  readonly socialSetId: unknown
  readonly #fields: object
  readonly #file: { bytes: number; sha256: string }
  /** Null: the request was answered before, so nothing is kept. */
  readonly #upload: HeldUpload | null

  constructor(form: {
    fields: Record<string, unknown>
    file: { bytes: number; sha256: string }
    upload: HeldUpload | null
  }) {
    this.socialSetId = form.fields.socialSetId
    this.#fields = form.fields
    this.#file = form.file
    this.#upload = form.upload
  }

  /** By this, requests with an Idempotency-Key are compared. */
  toJSON(): object {
    return { ...this.#fields, file: this.#file }
  }

  /** Hands the file to the workers (→ PENDING), in the transaction that answers the request. */
  async complete(trx: Database): Promise<MediaUploadRow> {
    const { bytes } = this.#file
    const row = this.#upload && (await completeDirectUpload(trx, { ...this.#upload, bytes }))
    if (!row) {
      const detail = 'The first request with this Idempotency-Key was answered too long ago. Send the request again.'
      throw new ProblemError('request:in_progress', detail, { headers: { 'retry-after': '1' } })
    }
    return row
  }

  /** Removes what was received, unless it was handed over and that is committed. */
  async discard(deps: Pick<ReceiveDeps, 'db' | 'store'>): Promise<void> {
    if (this.#upload) await discard(deps, this.#upload)
  }
}

/** An upload of a form, and the name of the request that has it. */
interface HeldUpload {
  id: string
  owner: string
}

async function discard({ db, store }: Pick<ReceiveDeps, 'db' | 'store'>, { id, owner }: HeldUpload): Promise<void> {
  if (await removeDirectUpload(db, id, owner)) await store.arriving.remove(id)
}

/** A form as it comes. */
interface ComingForm {
  /** Those before the file. */
  fields: Record<string, unknown>
  fileName: string | null
  file: Readable
  /** Of the whole request; null when it does not say. */
  contentLength: number | null
  idempotencyKey: string | null
  /** Of the request, which takes no parameters. */
  query: AskedQuery<unknown>
  /** Rejects when no more bytes of this client may be taken. */
  stillAllowed(row: MediaUploadRow): Promise<void>
}

/**
 * Receives the file of a form. If the request was answered before, its bytes are only hashed.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, then as `beginUpload` and `continueUpload`
 */
export async function receiveForm(deps: ReceiveDeps, caller: Caller, form: ComingForm): Promise<ReceivedForm> {
  const { fields, fileName, file, contentLength } = form
  const measure = createMeasure()
  if (await wasAnswered(deps.db, caller, form)) {
    await finished(measure.stream(file, null).resume())
    return new ReceivedForm({ fields, file: measure.result(), upload: null })
  }
  // Before all bytes are here, not behind them.
  await requireUploadPlace(deps.db, caller, fields)
  form.query.read()
  const owner = newId()
  const { row, room } = await beginUpload(deps, caller, {
    fields,
    fieldCode: 'request:invalid_body',
    bytesTotal: null,
    leastBytes: Math.max(0, (contentLength ?? 0) - FORM_BYTES),
    fileName,
    owner,
  })
  const upload = { id: row.id, owner }
  try {
    await continueUpload(
      deps,
      { ...upload, offset: 0, stillAllowed: () => form.stillAllowed(row) },
      measure.stream(file, room),
    )
  } catch (error) {
    await discard(deps, upload).catch((reason: unknown) =>
      deps.log.warn({ upload: row.id, error: reason }, 'A form that broke off could not be removed'),
    )
    throw error
  }
  return new ReceivedForm({ fields, file: measure.result(), upload })
}

async function wasAnswered(db: Database, { actor }: Caller, { idempotencyKey: key }: ComingForm): Promise<boolean> {
  if (key === null || actor.type !== 'API_KEY' || actor.id === null) return false
  return (await findStoredAnswer(db, { apiKeyId: actor.id, key })) !== null
}

/** Counts and hashes a stream on its way. It fails when it is larger than a file may be, or than the plan has room for. */
function createMeasure() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    stream: (source: Readable, room: PlanRoom | null) => {
      const measured = new Transform({
        transform(piece: Buffer, _, done) {
          bytes += piece.length
          if (bytes > LIMITS.mediaBytes) return done(fileTooLarge(null))
          if (room?.refusal && bytes > room.bytes) return done(planProblem(room.refusal))
          hash.update(piece)
          done(null, piece)
        },
      })
      // What goes wrong is reported to the reader of the result.
      pipeline(source, measured, () => {})
      return measured
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}
