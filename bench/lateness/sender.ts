import { createInterface } from 'node:readline/promises'
import pg from 'pg'

/** What the programs beside Almanac share: how they are asked to run, and their pool. */

export function openSender() {
  const { DATABASE_URL, NETWORKS_URL = '', SLOTS } = process.env
  return {
    pool: new pg.Pool({ connectionString: DATABASE_URL, max: 20 }),
    networksUrl: NETWORKS_URL,
    slots: Number(SLOTS),
  }
}

/** Says that it is ready, and runs `work` for each line that comes, one after the other. */
export async function serve(work: () => Promise<void>): Promise<void> {
  console.log('ready')
  for await (const _ of createInterface(process.stdin)) {
    await work()
    console.log('done')
  }
}
