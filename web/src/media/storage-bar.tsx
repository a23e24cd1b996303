import { Trans, useLingui } from '@lingui/react/macro'
import { Progress, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { bytesText } from '../planning/files/bytes-text.ts'
import classes from './media.module.css'

const usageQuery = queryOptions({
  queryKey: queryKeys.plan.list(),
  queryFn: ({ signal }) => call('GET /usage', { signal }),
})

const NEARLY = 80

/** How much of the storage of the account is used. */
export function StorageBar() {
  const { t } = useLingui()
  const { data } = useQuery(usageQuery)
  if (!data) return <div className={classes.storage} />
  const { used, limit } = data.storageBytes
  const part = used === 0 ? `0 MB` : bytesText(used)
  if (limit === null) {
    return (
      <div className={classes.storage}>
        <Text size="sm" c="dimmed">
          <Trans>{part} used</Trans>
        </Text>
      </div>
    )
  }
  const whole = bytesText(limit)
  const percent = Math.min(100, (used / Math.max(1, limit)) * 100)
  return (
    <div className={classes.storage}>
      <Text size="sm" c="dimmed">
        <Trans>
          {part} of {whole}
        </Trans>
      </Text>
      <Progress.Root size="sm">
        <Progress.Section
          value={percent}
          color={percent >= 100 ? 'red' : percent >= NEARLY ? 'yellow' : 'indigo'}
          aria-label={t`Storage`}
        />
      </Progress.Root>
    </div>
  )
}
