import { plural, t } from '@lingui/core/macro'
import { hasCode } from '../api/api-error.ts'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { showError, showUndo } from '../design/toast.tsx'

const IN_USE = 'media-library:in_use'

interface Named {
  id: string
  name: string
}

/**
 * Deletes files, and offers to bring them back. Answers those that were not deleted because drafts or scheduled posts have them; what
 * went wrong otherwise is shown.
 */
export async function deleteFiles(files: readonly Named[]): Promise<Named[]> {
  const deleted: Named[] = []
  const inUse: Named[] = []
  for (const file of files) {
    try {
      await call('DELETE /media-library/:id', { params: { id: file.id } })
      deleted.push(file)
    } catch (error) {
      if (hasCode(error, IN_USE)) inUse.push(file)
      else {
        showError(error)
        break
      }
    }
  }
  // What is open of them would be asked for in vain.
  for (const { id } of deleted) queryClient.removeQueries({ queryKey: queryKeys.media.one(id) })
  await readAgain('DELETE /media-library/:id')
  const [first] = deleted
  if (first) {
    const { name } = first
    const message =
      deleted.length === 1
        ? t`${name} deleted. It can be restored for 30 days.`
        : plural(deleted.length, {
            one: '# file deleted.',
            other: '# files deleted. They can be restored for 30 days.',
          })
    showUndo({ message, undo: () => restoreFiles(deleted) })
  }
  return inUse
}

/** Brings deleted files back. Throws ApiError. */
export async function restoreFiles(files: readonly Named[]): Promise<void> {
  try {
    for (const { id } of files) await call('POST /media-library/:id/restore', { params: { id } })
  } finally {
    await readAgain('POST /media-library/:id/restore')
  }
}
