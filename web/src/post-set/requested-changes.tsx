import { useLingui } from '@lingui/react/macro'
import { Alert, Text } from '@mantine/core'
import { IconMessageReply } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '../api/query-keys.ts'
import { actorWords } from '../planning/posts/actor-words.ts'
import { newestRequest } from '../post-set-actions/requests.ts'

/** What a reviewer wants changed, in the reviewer's words. */
export function RequestedChanges({ postSetId }: { postSetId: string }) {
  const { t } = useLingui()
  const { data } = useQuery({
    queryKey: [...queryKeys.postSets.one(postSetId), 'requested-changes'],
    queryFn: () => newestRequest(postSetId),
  })
  if (data?.changes.message === undefined) return null
  const who = actorWords(data)
  return (
    <Alert color="orange" icon={<IconMessageReply aria-hidden />} p="sm" title={t`${who} asks for changes`}>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {data.changes.message}
      </Text>
    </Alert>
  )
}
