import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Radio, Stack, Text } from '@mantine/core'
import type { Connection, SocialSet } from '#contract'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { networkName } from '../design/network-icon.tsx'
import { showDone, showError } from '../design/toast.tsx'

type Choice = 'LEAVE' | 'PARK'

/** Asks for the password, and what to do with what is scheduled, and disconnects. */
export function useDisconnect(connection: Connection, socialSet: SocialSet): () => Promise<void> {
  const confirm = useConfirmPassword()
  const { id, name, accountType } = connection
  const network = networkName(accountType)
  return async () => {
    const closing = await call('GET /connections/:id/closing', { params: { id } }).catch(showError)
    if (!closing) return
    const scheduled = closing.scheduledSets
    const chosen: { scheduledSets: Choice } = { scheduledSets: 'PARK' }
    await confirm({
      title: t`Disconnect ${name} on ${network}?`,
      confirmLabel: t`Disconnect`,
      danger: true,
      children: (
        <Stack gap="sm">
          <Text>
            <Trans>
              {socialSet.name} will no longer publish to {network}. Published posts stay there, and their results stay
              here.
            </Trans>
          </Text>
          {scheduled > 0 && (
            <Radio.Group
              label={plural(scheduled, {
                one: '# scheduled post uses this account. What should happen to it?',
                other: '# scheduled posts use this account. What should happen to them?',
              })}
              defaultValue={chosen.scheduledSets}
              onChange={(value) => {
                chosen.scheduledSets = value === 'LEAVE' ? 'LEAVE' : 'PARK'
              }}
            >
              <Stack gap="xs" mt="xs">
                <Radio
                  value="PARK"
                  label={t`Move to drafts`}
                  description={t`Nothing is published until they are scheduled again.`}
                />
                <Radio
                  value="LEAVE"
                  label={t`Keep scheduled`}
                  description={t`Unless another account is connected in time, this network fails and the others are published.`}
                />
              </Stack>
            </Radio.Group>
          )}
        </Stack>
      ),
      run: async (password) => {
        const scheduledSets: Choice = scheduled > 0 ? chosen.scheduledSets : 'LEAVE'
        const body = { password, scheduledSets }
        const { parkedSets } = await change('DELETE /connections/:id', { params: { id }, body })
        showDone(
          plural(parkedSets, {
            0: `${name} on ${network} is disconnected.`,
            one: `${name} on ${network} is disconnected. # post is a draft now.`,
            other: `${name} on ${network} is disconnected. # posts are drafts now.`,
          }),
        )
      },
    })
  }
}
