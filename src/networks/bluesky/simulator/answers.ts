import type { IncomingMessage } from 'node:http'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import { readBytes as readAtMost, TooLargeError } from '../../kit/request-body.ts'

/** An error in the form of the protocol. */
export function refusal(status: number, error: string, message: string): SimulatedAnswer {
  return { status, body: { error, message } }
}

/** The body; null when it is larger than `maxBytes`. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  try {
    return await readAtMost(request, maxBytes)
  } catch (error) {
    if (error instanceof TooLargeError) return null
    throw error
  }
}

/** The body as a JSON object; null when it is none, or larger than `maxBytes`. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<Record<string, unknown> | null> {
  try {
    const body: unknown = JSON.parse((await readBytes(request, maxBytes))?.toString('utf8') ?? '')
    return typeof body === 'object' ? (body as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
