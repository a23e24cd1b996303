import { plural } from '@lingui/core/macro'
import { Avatar, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../api/client.ts'
import { onReady, stream } from '../api/events.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { listOf } from '../design/words.ts'

/** What is said goes one after the other: the last one counts. */
let saying: Promise<unknown> = Promise.resolve()

function say(postSetId: string | null): void {
  // Whom it does not reach sees no one here for a moment: it is said again when the server listens.
  saying = saying.then(() => call('PUT /presence/:stream', { params: { stream }, body: { postSetId } })).catch(() => {})
}

/** Says that this window has a post open, as long as it has and the member wants to be seen; null: it has none. */
export function usePresence(postSetId: string | null): void {
  const { presence } = usePreferences()
  useEffect(() => {
    if (!presence || postSetId === null) return
    const here = () => say(postSetId)
    here()
    onReady.add(here)
    return () => {
      onReady.delete(here)
      say(null)
    }
  }, [postSetId, presence])
}

/** A process that was killed cannot say that its windows are gone. */
const READ_AGAIN_MS = 60_000

/** Who else has a post open. */
export function Present({ postSetId }: { postSetId: string }) {
  const { presence } = usePreferences()
  const { data } = useQuery({
    queryKey: queryKeys.presence.list({ postSetId }),
    queryFn: ({ signal }) => call('GET /post-sets/:id/presence', { params: { id: postSetId }, signal }),
    refetchInterval: READ_AGAIN_MS,
    enabled: presence,
  })
  const people = (presence && data?.people) || []
  const names = listOf(people.map(({ name }) => name))
  const sentence = plural(people.length, {
    one: `${names} has this post open, too.`,
    other: `${names} have this post open, too.`,
  })
  return (
    <div role="status">
      {people.length > 0 && (
        <div title={sentence}>
          <VisuallyHidden>{sentence}</VisuallyHidden>
          <Avatar.Group spacing="xs" aria-hidden>
            {people.slice(0, 3).map(({ id, name }) => (
              <Avatar key={id} name={name} size={28} />
            ))}
            {people.length > 3 && <Avatar size={28}>+{people.length - 3}</Avatar>}
          </Avatar.Group>
        </div>
      )}
    </div>
  )
}
