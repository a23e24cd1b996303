/** A client has so many milliseconds to send so many bytes. */
export interface ProgressBounds {
  idleMs: number
  idleBytes: number
}

/** The progress of a client that sends. The time in which nothing is waited for does not count. */
interface Progress {
  /** Bytes came, and are worked on. */
  came(bytes: number): void
  /** More are waited for. */
  wait(): void
  stop(): void
}

/** Calls when a client sends too little. It is waited for from the beginning. */
export function watchProgress({ idleMs, idleBytes }: ProgressBounds, onIdle: () => void): Progress {
  let waited = 0
  let bytes = 0
  let since = performance.now()
  let timer = setTimeout(onIdle, idleMs)
  return {
    came(more) {
      clearTimeout(timer)
      waited += performance.now() - since
      bytes += more
      if (bytes < idleBytes) return
      bytes = 0
      waited = 0
    },
    wait() {
      clearTimeout(timer)
      since = performance.now()
      timer = setTimeout(onIdle, Math.max(0, idleMs - waited))
    },
    stop: () => clearTimeout(timer),
  }
}
