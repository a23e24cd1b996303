import { entryAt, ProblemError } from '#contract'
import { isTakenExternalId } from '#persistence'

const CODE = 'post-set:external_id_taken'

/** Refuses an external id that another set of the social set has. @throws ProblemError `post-set:external_id_taken` */
export async function unlessExternalIdTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw isTakenExternalId(error) ? externalIdTaken() : error
  }
}

export function externalIdTaken(): ProblemError {
  const words =
    'Another post set of the social set has this externalId. Change or delete that one, or choose another name.'
  return new ProblemError(CODE, words, { entries: [entryAt(['externalId'], CODE, words)] })
}
