import { plural, t } from '@lingui/core/macro'
import { readAgain } from '../api/change.ts'
import { showUndo } from '../design/toast.tsx'
import { doInBulk } from './requests.ts'

interface Failed {
  /** Of the post set. */
  id: string
  name: string
}

/**
 * Marks what failed of posts as done, for all members, or brings it back, and offers to undo that. Answers what was done, in a sentence.
 * Throws ApiError when nothing was.
 */
export async function markDone(failed: readonly Failed[], done: boolean): Promise<string> {
  await send(failed, done)
  const name = failed.length === 1 ? failed[0]?.name : undefined
  const message =
    name === undefined
      ? done
        ? plural(failed.length, { one: '# post marked as done.', other: '# posts marked as done.' })
        : plural(failed.length, { one: '# post brought back.', other: '# posts brought back.' })
      : done
        ? t`“${name}” marked as done.`
        : t`“${name}” brought back.`
  showUndo({ message, undo: () => send(failed, !done) })
  return message
}

async function send(failed: readonly Failed[], done: boolean): Promise<void> {
  try {
    await doInBulk(
      failed.map(({ id }) => ({ id, version: null })),
      { done },
    )
  } finally {
    await readAgain('PUT /post-sets/:id/done')
  }
}
