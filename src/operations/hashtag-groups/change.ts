import {
  type AskedBody,
  type AskedQuery,
  entryAt,
  type HashtagGroup,
  type HashtagGroupBody,
  type HashtagGroupUpdateBody,
  LIMITS,
  type ProblemEntry,
  ProblemError,
  refuseBody,
} from '#contract'
import { isId, newId } from '#domain'
import {
  type Database,
  deleteHashtagGroup,
  findHashtagGroup,
  type HashtagGroupRow,
  insertHashtagGroup,
  listHashtagGroups,
  lockSocialSet,
  updateHashtagGroup as writeHashtagGroup,
} from '#persistence'
import { readPlaced } from '../asked.ts'
import { type Caller, requireRight } from '../caller.ts'
import { foldedName } from '../labels/free-name.ts'
import { checkName } from '../members/read-person.ts'
import { readName } from '../social-sets/create.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import { checkTags, readTags } from './read-tags.ts'
import { answerHashtagGroup } from './serialize.ts'

interface Deps {
  db: Database
}

/**
 * Creates a group of hashtags in a social set.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `hashtag-group:limit_reached`, `hashtag-group:name_taken`
 */
export async function createHashtagGroup(
  { db }: Deps,
  caller: Caller,
  body: AskedBody<HashtagGroupBody>,
): Promise<HashtagGroup> {
  requireRight(caller, 'post-sets:write')
  const { asked } = await readPlaced(db, caller, body)
  const { socialSetId, ...read } = asked
  refuseBody([...checkGroupName(read.name), ...checkTags(read.tags)])
  const name = readName(read.name, WHAT)
  return db.transaction().execute(async (trx) => {
    // Groups of a social set change one after the other.
    if (!(await lockSocialSet(trx, caller, socialSetId))) throw socialSetNotFound()
    const others = await listHashtagGroups(trx, socialSetId)
    if (others.length >= LIMITS.hashtagGroups.perSocialSet) {
      const words = `The social set has ${LIMITS.hashtagGroups.perSocialSet} groups of hashtags. Delete one that is no longer used.`
      throw new ProblemError('hashtag-group:limit_reached', words)
    }
    requireFreeName(others, name)
    const group = { id: newId(), accountId: caller.accountId, socialSetId, name, tags: readTags(read.tags) }
    return answerHashtagGroup(await insertHashtagGroup(trx, group))
  })
}

/**
 * Renames a group or replaces its hashtags; omitted fields stay.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `hashtag-group:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `hashtag-group:name_taken`
 */
export async function updateHashtagGroup(
  { db }: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<HashtagGroupUpdateBody>,
): Promise<HashtagGroup> {
  requireRight(caller, 'post-sets:write')
  const { socialSetId } = await requireHashtagGroup(db, caller, id)
  const change = body.read()
  refuseBody([
    ...(change.name === undefined ? [] : checkGroupName(change.name)),
    ...(change.tags === undefined ? [] : checkTags(change.tags)),
  ])
  return db.transaction().execute(async (trx) => {
    await lockSocialSet(trx, caller, socialSetId)
    const groups = await listHashtagGroups(trx, socialSetId)
    const before = groups.find((group) => group.id === id.toLowerCase())
    if (!before) throw hashtagGroupNotFound()
    const name = change.name === undefined ? before.name : readName(change.name, WHAT)
    if (name !== before.name) {
      requireFreeName(
        groups.filter((group) => group !== before),
        name,
      )
    }
    const tags = change.tags === undefined ? before.tags : readTags(change.tags)
    const written = await writeHashtagGroup(trx, { id, name, tags })
    if (!written) throw hashtagGroupNotFound()
    return answerHashtagGroup(written)
  })
}

/**
 * Deletes a group. Captions with its hashtags stay as they are.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `hashtag-group:not_found`, `request:invalid_query`
 */
export async function removeHashtagGroup(
  { db }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, 'post-sets:write')
  await requireHashtagGroup(db, caller, id)
  query.read()
  if (!(await deleteHashtagGroup(db, caller, id))) throw hashtagGroupNotFound()
}

const WHAT = 'A group of hashtags'

function checkGroupName(text: string): ProblemEntry[] {
  const problems = checkName('name', text, WHAT)
  const { nameCodePoints } = LIMITS.hashtagGroups
  if (problems.length > 0 || [...text.trim()].length <= nameCodePoints) return problems
  return [entryAt(['name'], 'request:invalid_body', `name must have at most ${nameCodePoints} characters.`)]
}

function requireFreeName(others: readonly HashtagGroupRow[], name: string): void {
  const taken = others.find((other) => foldedName(other.name) === foldedName(name))
  if (!taken) return
  throw new ProblemError('hashtag-group:name_taken', `A hashtag group named “${taken.name}” already exists.`)
}

async function requireHashtagGroup(db: Database, caller: Caller, id: string): Promise<HashtagGroupRow> {
  const group = isId(id) ? await findHashtagGroup(db, caller, id) : null
  if (!group) throw hashtagGroupNotFound()
  return group
}

const hashtagGroupNotFound = () => new ProblemError('hashtag-group:not_found', 'No hashtag group has this id.')
