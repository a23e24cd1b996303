import {
  type ContentOf,
  type Database,
  type DeliveryContent,
  type DeliveryRow,
  databaseFault,
  type FenceOf,
  type Finished,
  fence,
  fenceTogether,
  MOST_TOGETHER,
  readDeliveryContents,
} from '#persistence'
import { type Ending, endDeliveries } from './ends.ts'
import { gather } from './gather.ts'

/** What a publisher does for many deliveries at once when many are under way: reading them, their fences, their ends. */
export interface Together {
  /** @throws when the post is gone */
  content(delivery: ContentOf): Promise<DeliveryContent>
  /** As `fence` of persistence. */
  fence(wanted: FenceOf): ReturnType<typeof fence>
  /** Null when another worker has taken over. */
  end(ending: Ending): Promise<Finished | null>
}

/** Transactions of each kind that are under way at once: one that waits for a dead connection keeps nothing from the rest. */
const AT_ONCE = 3

export function createTogether(db: Database): Together {
  const bounds = { atOnce: AT_ONCE, most: MOST_TOGETHER }
  // A worker that stood still past a lease takes the delivery again, beside its own turn that has lost it: that one gets no fence of the other.
  const ofDelivery = { ...bounds, keyOf: ({ delivery }: Pick<FenceOf | Ending, 'delivery'>) => delivery.id }
  const content = gather<ContentOf, DeliveryContent | null>(
    async (wanted) => {
      const found = await readDeliveryContents(db, wanted)
      return wanted.map(({ id }) => found.get(id) ?? null)
    },
    { ...bounds, keyOf: ({ id }) => id },
  )
  const fences = gather<FenceOf, DeliveryRow | null>(
    (wanted) =>
      unlessOneIsInTheWay(wanted, async () => {
        const fenced = await fenceTogether(db, wanted)
        return wanted.map(({ delivery }) => fenced.get(delivery.id) ?? null)
      }),
    ofDelivery,
  )
  const ends = gather<Ending, Finished | null>(
    (wanted) =>
      unlessOneIsInTheWay(wanted, async () => {
        const done = await db.transaction().execute((trx) => endDeliveries(trx, wanted))
        return wanted.map(({ delivery }) => done.get(delivery.id) ?? null)
      }),
    ofDelivery,
  )
  return {
    async content(delivery) {
      const found = await content(delivery)
      if (!found) throw new Error('The post of a delivery is gone.')
      return found
    },
    fence: async (wanted) => (await fences(wanted)) ?? fence(db, wanted),
    end: async (ending) =>
      (await ends(ending)) ??
      db.transaction().execute(async (trx) => (await endDeliveries(trx, [ending])).get(ending.delivery.id) ?? null),
  }
}

/**
 * Does it for several. When PostgreSQL refuses it for what one of them brings, or breaks it off as two transactions were in each
 * other's way, nothing has changed: each is then done alone.
 */
async function unlessOneIsInTheWay<Answer>(
  wanted: readonly unknown[],
  act: () => Promise<readonly Answer[]>,
): Promise<readonly (Answer | null)[]> {
  try {
    return await act()
  } catch (error) {
    if (wanted.length === 1 || databaseFault(error) !== null) throw error
    return wanted.map(() => null)
  }
}
