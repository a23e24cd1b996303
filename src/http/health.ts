/** What a process knows of itself. */
export interface HealthReport {
  ok: boolean
  /** What is wrong, each as one sentence for the operator. May hold some while `ok`: the process heals by itself. */
  problems: string[]
  /** Since when the start is held, so that nothing goes out until a person answers. Absent: it is not. */
  heldSince?: Date
  /** When the database last took a write of this process; null: not since its start. */
  lastWriteAt: Date | null
  /** The oldest things that wait; null while the database cannot be asked. A backlog is no problem of the process. */
  oldest: { dueAt: Date | null; pastLeaseAt: Date | null } | null
}

export interface Health {
  /** Whether the process lives, and works or heals: a restart would not help. */
  live(): Promise<HealthReport>
  /** Whether it should get requests: the database answers and takes writes. */
  ready(): Promise<HealthReport>
}

const ASKS: Readonly<Record<string, keyof Health>> = { '/healthz': 'live', '/readyz': 'ready' }

/** Where a process answers for its health. */
export const HEALTH_PATHS = Object.keys(ASKS)

/** The answer at one of `HEALTH_PATHS`; null at any other path. */
export async function answerHealth(health: Health, path: string): Promise<{ status: number; body: string } | null> {
  const ask = ASKS[path]
  if (ask === undefined) return null
  const { ok, problems, heldSince, lastWriteAt, oldest } = await health[ask]()
  const waits = oldest && { oldestDueAt: oldest.dueAt, oldestPastLeaseAt: oldest.pastLeaseAt }
  const body = { status: ok ? 'ok' : 'unavailable', problems, ...(heldSince && { heldSince }), lastWriteAt, ...waits }
  return { status: ok ? 200 : 503, body: JSON.stringify(body) }
}

export const HEALTH_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const
