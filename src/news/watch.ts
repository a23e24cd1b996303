import type { Networks } from '#networks'
import { addNews, type Database, findEndingConnections, findEndingKeys, findUnapprovedSets } from '#persistence'

export interface WatchDeps {
  db: Database
  networks: Pick<Networks, 'all' | 'named'>
  /** Whether the credentials of an identity can be renewed without a person. */
  renewsItself(network: string, identityId: string): Promise<boolean>
}

/** Records what comes about as time goes on: posts that wait although their time is near, connections and keys that end soon. */
export async function watch(deps: WatchDeps): Promise<void> {
  const { db } = deps
  const waiting = await findUnapprovedSets(db)
  await addNews(
    db,
    waiting.map(({ accountId, socialSetId, postSetId, once }) => ({
      ...{ kind: 'STILL_WAITING' as const, accountId, actor: null, once, socialSetId, postSetId },
    })),
  )
  const ending = await findEndingKeys(db)
  await addNews(
    db,
    ending.map(({ createdBy, ...key }) => ({
      ...{ kind: 'KEY_ENDING' as const, actor: null, ...key, concerned: createdBy ? [createdBy] : [] },
    })),
  )
  await watchConnections(deps)
}

/** Of networks whose credentials never end without a renewal that works by itself there is nothing to say. */
async function watchConnections({ db, networks, renewsItself }: WatchDeps): Promise<void> {
  const names = networks.all
    .filter(({ connect }) => connect.refresh === null || connect.canRefresh)
    .map(({ manifest }) => manifest.name)
  for (let after: string | null = null; ; ) {
    const page = await findEndingConnections(db, names, after)
    for (const { accountId, socialSetId, connectionId, accountType, endsAt, once, network, identityId } of page) {
      if (networks.named(network)?.connect.refresh !== null && (await renewsItself(network, identityId))) continue
      const about = { socialSetId, connectionId, accountType, endsAt }
      await addNews(db, [{ kind: 'CONNECTION_ENDING', accountId, actor: null, once, ...about }])
    }
    const last = page.at(-1)
    if (!last) return
    after = last.connectionId
  }
}
