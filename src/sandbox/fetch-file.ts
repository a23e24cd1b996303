/** Larger than anything that a network takes by address. */
const MAX_BYTES = 1024 * 1024 * 1024
const TIMEOUT_MS = 120_000

/**
 * Fetches a file as a network's servers would, from anywhere and with redirects. Status 0 when nobody answered, or the
 * file was too large or took too long.
 */
export async function fetchFile(url: string): Promise<{ status: number; bytes: Buffer; mimeType: string | null }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body ?? []) {
      size += chunk.length
      if (size > MAX_BYTES) throw new RangeError('The file is too large.')
      chunks.push(chunk)
    }
    const mimeType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || null
    return { status: answer.status, bytes: Buffer.concat(chunks), mimeType }
  } catch {
    // Whatever went wrong on the way: to a network it is a file that it could not get.
    return { status: 0, bytes: Buffer.alloc(0), mimeType: null }
  }
}
