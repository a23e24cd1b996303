/** The longest that timers wait. */
const LONGEST_MS = 2_147_483_647

/**
 * Waits.
 *
 * @throws the reason of the signal, once it aborts
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, LONGEST_MS),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * Does something that has to end in time.
 *
 * @param ms undefined: it may take as long as it does
 * @throws `late()` when it takes longer; the reason of the signal, once it aborts
 */
export async function within<T>(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  let isLate = false
  const stop = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const timer =
    ms === undefined
      ? undefined
      : setTimeout(
          () => {
            isLate = true
            ending.abort()
          },
          Math.min(ms, LONGEST_MS),
        )
  try {
    return await work(ending.signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw isLate ? late() : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
