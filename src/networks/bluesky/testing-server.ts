import type { Pds, PdsAccount } from '../../../test/_util/pds.ts'
import { createClock } from '../conformance/delivery.ts'
import { type Stage, worldOf } from '../kit/testing.ts'

/** A new account of a real server, which the stage posts from. */
export async function newcomerOf(pds: Pds, stage: Stage): Promise<PdsAccount> {
  const { account, identity } = await pds.connect()
  const world = worldOf(stage, identity)
  const endpoints = { ...identity.endpoints, video: pds.videoUrl, web: 'https://bsky.app' }
  stage.world = { ...world, clock: createClock(), backend: { ...world.backend, endpoints } }
  return account
}
