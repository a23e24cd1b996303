import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Loader, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { AccountType } from '#contract'
import { NetworkIcon, networkName } from '../../design/network-icon.tsx'
import { wordsOfWhy } from '../../language/server-words.ts'
import classes from './agreement.module.css'
import type { AskedAccount } from './use-asked-accounts.ts'

/** Whose post it will be, as the network says at this moment, and whether that account can post at all. */
export function PostingAs({ accountType, asked }: { accountType: AccountType; asked: AskedAccount }) {
  const { t } = useLingui()
  const network = networkName(accountType)
  const { data, error, isAsked, askAgain } = asked
  if (data?.refusal)
    return (
      <Alert color="red" icon={<IconAlertTriangle size={16} aria-hidden />} title={t`This account cannot post now`}>
        {wordsOfWhy(data.refusal)}
      </Alert>
    )
  const name = data?.name ?? network
  return (
    <div className={classes.posting} data-posting-as>
      <NetworkIcon accountType={accountType} size={16} decorative />
      {data ? (
        <Text size="sm">
          <Trans>
            Posts as <b dir="auto">{name}</b>
          </Trans>{' '}
          {data.username !== null && (
            <Text span c="dimmed" dir="auto">
              @{data.username}
            </Text>
          )}
        </Text>
      ) : isAsked || !error ? (
        <>
          <Loader size={14} aria-hidden />
          <Text size="sm" c="dimmed">
            <Trans>{network} is asked what this account may do…</Trans>
          </Text>
        </>
      ) : (
        <>
          <Text size="sm">{error instanceof Error ? error.message : null}</Text>
          <Button variant="subtle" size="compact-sm" onClick={askAgain}>
            <Trans>Ask again</Trans>
          </Button>
        </>
      )}
    </div>
  )
}
