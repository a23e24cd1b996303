import { expect, test } from 'vitest'
import { openCrowdedMinute } from '../_util/engine/crowded-minute.ts'

/** The bounded part of this is in crowded-minute.test.ts. */

const EDITS = 2_690

test(`${EDITS} edits that add, remove and swap posts around their time`, async () => {
  const minute = await openCrowdedMinute()
  try {
    for (let taken = 0; taken < EDITS; ) {
      const round = await minute.round()
      expect(round.wrong).toEqual([])
      taken += round.taken
    }
  } finally {
    await minute.close()
  }
})
