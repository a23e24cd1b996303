import { basePath } from './base.ts'

/** How soon a server that did not answer is asked again. */
const AGAIN_MS = 3_000

let reachable = true
let asking: Promise<boolean> | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Whether the server answered the last time. What the browser knows of its own network says nothing about it. */
export const isReachable = () => reachable

/** Calls the listener when the server stops answering, and when it answers again. Answers how to stop that. */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** An answer came. */
export function noteAnswer(): void {
  clearTimeout(timer)
  change(true)
}

/** None came to one request, which may be the fault of that one: the server is asked for itself, until it answers. */
export function noteNoAnswer(): void {
  void askServer()
}

/** Whether the server answers now, with any answer. */
export function askServer(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

async function ask(): Promise<boolean> {
  const init = { cache: 'no-store', credentials: 'same-origin' } as const
  const answers = await fetch(`${basePath}/internal/session`, init).then(isOurs, () => false)
  clearTimeout(timer)
  if (!answers) timer = setTimeout(noteNoAnswer, AGAIN_MS)
  change(answers)
  return answers
}

/** Whether an answer is the server's own, and not that of a proxy before one that is down. */
export function isOurs({ status, headers }: Response): boolean {
  return status < 500 || (headers.get('content-type') ?? '').startsWith('application/problem+json')
}

function change(now: boolean): void {
  if (reachable === now) return
  reachable = now
  for (const listener of listeners) listener()
}
