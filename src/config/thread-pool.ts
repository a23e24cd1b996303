/** Node's own number of threads for calls of disks and for names of hosts. */
const NODES = 4
const OURS = 16

const settings = process.env

/** Gives this process more of them, unless the operator has said how many. Before the first one is used: later it changes nothing. */
export function widenThreadPool(): void {
  settings.UV_THREADPOOL_SIZE ||= String(OURS)
}

/** How many there are. */
export function threadPoolSize(): number {
  const given = Number(settings.UV_THREADPOOL_SIZE)
  return Number.isInteger(given) && given > 0 ? given : NODES
}
