// People who write and review in a random order, and what must be true of each post set after each step, told from the rows
// of its history alone.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { ApprovalRuleName, Role } from '#contract'
import { actionsOf } from '../browser/dashboard-api.ts'
import type { Answer, Api, Body } from './api.ts'
import { APPROVE, CHANGES, FUTURE, reviewsOf, setRule } from './approvals.ts'
import { enter, type GuestClient, share } from './guests.ts'
import { type Person, signInAs } from './members.ts'

/** The roles of the members of an account; the first is its owner. */
export const TEAMS = [
  ['owner', 'author'],
  ['owner', 'editor'],
  ['owner', 'reviewer'],
  ['owner', 'admin'],
  ['owner', 'editor', 'editor', 'author', 'reviewer'],
] as const satisfies Role[][]

export interface Team {
  accountId: string
  socialSetId: string
  key: string
  people: { person: Person; role: Role }[]
  guest: GuestClient
}

export async function newTeam(api: Api, roles: readonly Role[]): Promise<Team> {
  const accountId = await api.newAccount()
  const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
  const people: Team['people'] = []
  for (const role of roles) people.push({ person: await signInAs(api, role, { accountId }), role })
  const [first] = people
  if (!first) throw new Error('A team has no owner.')
  const guest = await enter(api, await share({ socialSetId }, first.person), { name: 'Clara' })
  const key = await api.newKey({ accountId })
  return { accountId, socialSetId, key, people, guest }
}

const BY_MEMBERS = [
  'edit',
  'edit and approve',
  'repeat',
  'ask',
  'ask the client',
  'set approved',
  'approve',
  'approve with a reason',
  'approve several',
  'request changes',
  'undo',
  'undo an older change',
  'move',
  'lock',
  'delete and restore',
] as const
const BY_OTHERS = ['key approves', 'key edits', 'guest approves', 'another rule'] as const

export interface Step {
  what: (typeof BY_MEMBERS)[number] | (typeof BY_OTHERS)[number]
  /** Which of the members does it. */
  who: number
  rule: { rule: ApprovalRuleName; reviewers: number }
}

const aRule = fc.record({
  rule: fc.constantFrom<ApprovalRuleName>('OPTIONAL', 'REQUIRED', 'TEAM_THEN_CLIENT'),
  reviewers: fc.integer({ min: 1, max: 3 }),
})
// What approvals and edits do to one another comes more often than the rest.
const often = ['edit', 'approve', 'approve', 'approve with a reason', 'undo', 'ask'] as const
export const aStory = fc.record({
  team: fc.nat({ max: TEAMS.length - 1 }),
  rule: aRule,
  creator: fc.nat({ max: 4 }),
  steps: fc.array(
    fc.record({ what: fc.constantFrom(...often, ...BY_MEMBERS, ...BY_OTHERS), who: fc.nat({ max: 4 }), rule: aRule }),
    { minLength: 4, maxLength: 14, size: 'max' },
  ),
})

/** Does one thing to a post set, which may be refused. */
export async function take(api: Api, team: Team, id: string, { what, who, rule }: Step, nth: number): Promise<void> {
  const { person } = memberOf(team, who)
  const reviews = reviewsOf(person)
  const read = (): Promise<Body> =>
    api.request('GET', `/v1/post-sets/${id}`, { key: team.key }).then(({ body }) => body)
  const bulk = (version: number, action: object): Promise<Answer> =>
    person.request('POST', '/post-sets/change', { body: { ids: [{ id, version }], action } })
  const keyPatch = (body: object) => api.request('PATCH', `/v1/post-sets/${id}`, { key: team.key, body })
  switch (what) {
    case 'edit':
      await reviews.edit(id, `Text ${nth}`)
      return
    case 'edit and approve':
      await reviews.edit(id, `Text ${nth}`, { approval: 'APPROVED' })
      await reviews.decide(id, APPROVE)
      return
    case 'repeat':
      await reviews.patch(id, { repeat: { interval: 'DAY', occurrences: 2 } })
      return
    case 'ask':
      await reviews.patch(id, { approval: 'PENDING' })
      return
    case 'ask the client':
      await reviews.patch(id, { approval: 'EXTERNAL_PENDING' })
      return
    case 'set approved':
      await reviews.patch(id, { approval: 'APPROVED' })
      return
    case 'approve':
      await expectOffer(team, id, who, 'cannotApprove', await reviews.read(id), () => reviews.decide(id, APPROVE))
      return
    case 'approve with a reason':
      await expectOffer(team, id, who, 'needsReason', await reviews.read(id), () => reviews.approveAlone(id))
      return
    case 'approve several':
      await bulk((await read()).version, { approve: true })
      return
    case 'request changes':
      await reviews.decide(id, CHANGES)
      return
    case 'undo':
      await bulk((await read()).version, { undo: true })
      return
    case 'undo an older change':
      await bulk(Math.max(1, (await read()).version - 1 - (nth % 3)), { undo: true })
      return
    case 'move':
      await reviews.patch(id, { scheduledAt: `2090-06-${String(1 + (nth % 28)).padStart(2, '0')}T10:00:00Z` })
      return
    case 'lock':
      await person.request('PUT', `/post-sets/${id}/lock`, { body: { locked: true } })
      await person.request('PUT', `/post-sets/${id}/lock`, { body: { locked: false } })
      return
    case 'delete and restore':
      await person.request('DELETE', `/post-sets/${id}`)
      await person.request('POST', `/post-sets/${id}/restore`)
      return
    case 'key approves':
      await keyPatch({ approval: 'APPROVED' })
      return
    case 'key edits': {
      const { posts } = await read()
      await keyPatch({ posts: [{ ...posts[0], caption: `By a program ${nth}` }] })
      return
    }
    case 'guest approves':
      await approveAsGuest(team, id, (await read()).version)
      return
    case 'another rule':
      await setRule(api, rule, team.socialSetId)
  }
}

const approveAsGuest = ({ guest }: Team, id: string, version: number): Promise<Answer> =>
  guest.request('POST', `/posts/${id}/decision`, { body: { decision: 'approve', version } })

export const memberOf = ({ people }: Team, who: number) => people[who % people.length] as Team['people'][number]

/** What a screen offers is done, and what it does not offer is refused or changes nothing. */
async function expectOffer(
  team: Team,
  id: string,
  who: number,
  by: 'cannotApprove' | 'needsReason',
  item: Body,
  run: () => Promise<Answer>,
): Promise<void> {
  const offered = by === 'needsReason' ? item.needsReason : item.cannotApprove === null
  const { status, body } = await run()
  const changed = status === 200 && body.version > item.version
  expect(changed, `${memberOf(team, who).role} of ${id}: ${by} ${JSON.stringify(item)} ${JSON.stringify(body)}`).toBe(
    offered,
  )
}

interface Row {
  action: string
  actor_type: string
  actor_id: string | null
  changes: Body
}

/** Who holds the right to review. */
const REVIEWS: readonly Role[] = ['owner', 'admin', 'editor', 'reviewer']
const ADMINS: readonly Role[] = ['owner', 'admin']

/** Holds what is stored of a set against what its history allows. */
export async function expectFourEyes(api: Api, { people }: Team, id: string): Promise<void> {
  const rows: Row[] = await api.db
    .selectFrom('history')
    .select(['action', 'actor_type', 'actor_id', 'changes'])
    .where('post_set_id', '=', id)
    .orderBy('sequence')
    .execute()
  const { approval } = await api.db
    .selectFrom('post_sets')
    .select('approval')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const story = rows
    .map(({ action, actor_id, changes }) => `${actor_id} ${action} ${JSON.stringify(changes)}`)
    .join('\n')
  const roleOf = (userId: string | null) => people.find(({ person }) => person.userId === userId)?.role
  const isContent = ({ action, changes }: Row) => action === 'created' || 'posts' in changes || 'repeat' in changes
  const last = rows.findLastIndex(isContent)
  const changer = rows[last]?.actor_type === 'USER' ? rows[last].actor_id : null
  const since = rows.slice(last + 1)
  const approvals = since.filter(
    ({ action, actor_type, changes }) =>
      action === 'approved' && actor_type === 'USER' && ('approval' in changes || 'given' in changes),
  )
  for (const [nth, { actor_id, changes }] of approvals.entries()) {
    const before = new Set(approvals.slice(0, nth).map((row) => row.actor_id))
    const forTeam = changes.approval?.from !== 'EXTERNAL_PENDING'
    if (changes.reason !== undefined) {
      expect(forTeam, `a reason for the client\n${story}`).toBe(true)
      expect(ADMINS, story).toContain(roleOf(actor_id))
      const left = people.filter(
        ({ person, role }) => REVIEWS.includes(role) && person.userId !== changer && !before.has(person.userId),
      )
      expect(
        left.map(({ role }) => role),
        `a reason while others are left\n${story}`,
      ).toEqual([])
      continue
    }
    expect(actor_id, `approved by who changed it last\n${story}`).not.toBe(changer)
    if (forTeam && changes.given && changes.approval?.to !== 'PENDING' && changes.approval) {
      const different = new Set([...before, actor_id])
      expect(different.size, `too few\n${story}`).toBeGreaterThanOrEqual(changes.given.needed)
    }
  }
  // A key's edit leaves an approval, as the API says.
  if (approval !== 'APPROVED' || changer === null) return
  const led = since.find(
    ({ action, actor_type, changes }) =>
      changes.approval?.to === 'APPROVED' && (actor_type !== 'USER' || action === 'approved'),
  )
  expect(led, `approved without an approval of it as it is\n${story}`).toBeDefined()
}

/** Two members bring a post set out: the owner and another one, with the client where the rule wants that. */
export async function bringOut(api: Api, team: Team, id: string): Promise<void> {
  const [first, second] = team.people
  if (!first || !second) throw new Error('Two members are missing.')
  const both = [first.person, second.person]
  // Taking an unlocking back has locked it.
  await first.person.request('PUT', `/post-sets/${id}/lock`, { body: { locked: false } })
  const now = async () => (await api.request('GET', `/v1/post-sets/${id}`, { key: team.key })).body
  if (['NONE', 'DENIED'].includes((await now()).approval)) {
    await reviewsOf(first.person).patch(id, { approval: 'PENDING' })
  }
  for (const person of both) {
    if ((await now()).approval !== 'PENDING') break
    if ((await reviewsOf(person).read(id)).cannotApprove === null) await reviewsOf(person).approve(id)
  }
  // Of more than two the others may be asked; an admin stands in for them only when none of them is left.
  for (const { person } of team.people.slice(2)) {
    if ((await now()).approval !== 'PENDING') break
    if ((await reviewsOf(person).read(id)).cannotApprove === null) await reviewsOf(person).approve(id)
  }
  if ((await now()).approval === 'PENDING') {
    expect(await reviewsOf(first.person).read(id)).toMatchObject({ reviewersLeft: 0, needsReason: true })
    expect((await reviewsOf(first.person).approveAlone(id)).status).toBe(200)
  }
  if ((await now()).approval === 'EXTERNAL_PENDING') {
    expect((await approveAsGuest(team, id, (await now()).version)).status).toBe(200)
  }
  expect((await now()).approval).toBe('APPROVED')
  const body = { status: 'SCHEDULED', scheduledAt: FUTURE }
  expect(await actionsOf(first.person).patch(id, body)).toMatchObject({ status: 'SCHEDULED', approval: 'APPROVED' })
}
