import type { AskedQuery, MemberLink, MemberLinkEnd, MemberLinks, MemberLinksQuery, NewAddress } from '#contract'
import { isId } from '#domain'
import {
  closeWebhooks,
  type DatabaseTransaction,
  listMemberLinks,
  lockSharedCalendar,
  lockSocialSet,
  type MemberLinkRow,
} from '#persistence'
import { closeFeedAddress, issueFeedAddress } from '../calendar-feeds/address.ts'
import { type Caller, requireRight } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { closeHeld, renewHeld } from '../shared-calendars/links.ts'
import { type Access, lockTeam, memberOf, requireMayManage } from './lock-team.ts'

export type LinkDeps = Pick<OperationDeps, 'db' | 'publicUrl' | 'box'>

/**
 * The shared calendars and calendar addresses that a member knows and would no longer see, and the webhooks that the
 * member created. `query` describes the member's future access: `role`, and `socialSetIds` separated by commas.
 * Without a role, the member leaves: then also those that were shown to the member when they were created.
 *
 * @throws ProblemError `auth:insufficient_role`, `member:not_found`, `request:invalid_query`
 */
export async function readMemberLinks(
  { db }: Pick<LinkDeps, 'db'>,
  caller: Caller,
  userId: string,
  query: AskedQuery<MemberLinksQuery>,
): Promise<MemberLinks> {
  requireRight(caller, 'members:manage')
  return db.transaction().execute(async (trx) => {
    const team = await lockTeam(trx, caller)
    const member = memberOf(team, userId)
    requireMayManage(caller, team.self, member)
    const { role, socialSetIds: brands = null } = query.read()
    const after = role === undefined ? null : { role, socialSetIds: brands?.split(',').filter(isId) ?? null }
    const rows = await listMemberLinks(trx, caller, { userId: member.userId, before: member, after })
    return { data: rows.map(linkAnswer) }
  })
}

const linkAnswer = (row: MemberLinkRow): MemberLink => ({ ...row })

/**
 * Ends addresses that a member knows, each as requested, in the transaction in which the member loses the right to
 * them. The caller holds the team's lock. Entries that are no such address, or were ended meanwhile, are skipped.
 *
 * @returns the new addresses of those that were renewed
 */
export async function endMemberLinks(
  trx: DatabaseTransaction,
  deps: Pick<LinkDeps, 'publicUrl' | 'box'>,
  caller: Caller,
  { userId, before, after, wanted }: EndedLinks,
): Promise<NewAddress[]> {
  if (wanted.length === 0) return []
  requireRight(caller, 'shared-calendars:manage')
  requireRight(caller, 'calendars:manage')
  const known = await listMemberLinks(trx, caller, { userId, before, after })
  const renewed: NewAddress[] = []
  for (const { kind, id, name } of known) {
    const how = wanted.find((each) => each.kind === kind && each.id.toLowerCase() === id)?.how
    if (how === undefined) continue
    const address = await endOne(trx, deps, caller, { kind, id, how })
    if (address !== null) renewed.push({ kind, id, name, address })
  }
  return renewed
}

interface EndedLinks {
  userId: string
  before: Access
  after: Access | null
  wanted: readonly MemberLinkEnd[]
}

/** Another address; null where it was closed, as a webhook always is. */
async function endOne(
  trx: DatabaseTransaction,
  deps: Pick<LinkDeps, 'publicUrl' | 'box'>,
  caller: Caller,
  { kind, id, how }: MemberLinkEnd,
): Promise<string | null> {
  switch (kind) {
    case 'SHARED_CALENDAR':
      return endLink(trx, deps, caller, id, how)
    case 'CALENDAR_FEED':
      return endFeed(trx, deps.publicUrl, caller, id, how)
    case 'WEBHOOK':
      await closeWebhooks(trx, [id], 'MAKER_LEFT')
      return null
  }
}

async function endLink(
  trx: DatabaseTransaction,
  deps: Pick<LinkDeps, 'publicUrl' | 'box'>,
  caller: Caller,
  id: string,
  how: MemberLinkEnd['how'],
): Promise<string | null> {
  if (!(await lockSharedCalendar(trx, caller, id))) return null
  if (how === 'RENEW') return renewHeld(trx, deps, caller, id)
  await closeHeld(trx, id)
  return null
}

async function endFeed(
  trx: DatabaseTransaction,
  publicUrl: string,
  caller: Caller,
  socialSetId: string,
  how: MemberLinkEnd['how'],
): Promise<string | null> {
  if (!(await lockSocialSet(trx, caller, socialSetId))) return null
  if (how === 'CLOSE') {
    await closeFeedAddress(trx, { socialSetId })
    return null
  }
  const { accountId, member } = caller
  const of = { socialSetId }
  return (await issueFeedAddress(trx, { accountId, publicUrl, of, createdBy: member?.userId ?? null })).url
}
