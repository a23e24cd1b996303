import { Radio, Stack, Text } from '@mantine/core'
import type { Connection, ConnectionClosing, Disconnected, SocialSet } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { networkName } from '../design/network-icon.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { count } from '../design/words.ts'
import { connectionsChanged } from './queries.ts'

type Choice = 'LEAVE' | 'PARK'

/** Asks for the password, and what shall become of what is scheduled, and disconnects. */
export function useDisconnect(connection: Connection, socialSet: SocialSet): () => Promise<void> {
  const confirm = useConfirmPassword()
  const { id, name, accountType } = connection
  return async () => {
    const path = `/connections/${id}`
    const closing = await api.get<ConnectionClosing>(`${path}/closing`).catch(showError)
    if (!closing) return
    const scheduled = closing.scheduledSets
    const chosen: { scheduledSets: Choice } = { scheduledSets: 'PARK' }
    await confirm({
      title: `Disconnect ${name} on ${networkName(accountType)}?`,
      confirmLabel: 'Disconnect',
      danger: true,
      children: (
        <Stack gap="sm">
          <Text>
            {socialSet.name} publishes to {networkName(accountType)} no longer. What was published stays there, and its
            results stay here.
          </Text>
          {scheduled > 0 && (
            <Radio.Group
              label={`${count(scheduled, 'scheduled post set')} would go out through it. What shall become of ${scheduled === 1 ? 'it' : 'them'}?`}
              defaultValue={chosen.scheduledSets}
              onChange={(value) => {
                chosen.scheduledSets = value === 'LEAVE' ? 'LEAVE' : 'PARK'
              }}
            >
              <Stack gap="xs" mt="xs">
                <Radio
                  value="PARK"
                  label="Make drafts of them"
                  description="Nothing is sent until they are scheduled again."
                />
                <Radio
                  value="LEAVE"
                  label="Keep them scheduled"
                  description="Unless another account is connected before their time, this network fails and the others go out."
                />
              </Stack>
            </Radio.Group>
          )}
        </Stack>
      ),
      run: async (password) => {
        const scheduledSets: Choice = scheduled > 0 ? chosen.scheduledSets : 'LEAVE'
        const { parkedSets } = await api.delete<Disconnected>(path, { body: { password, scheduledSets } })
        await connectionsChanged()
        if (parkedSets > 0) void queryClient.invalidateQueries({ queryKey: queryKeys.postSets.all })
        if (parkedSets > 0) void queryClient.invalidateQueries({ queryKey: queryKeys.calendar.all })
        const drafts = parkedSets > 0 ? ` ${count(parkedSets, 'post set is a draft', 'post sets are drafts')} now.` : ''
        showDone(`${name} on ${networkName(accountType)} is disconnected.${drafts}`)
      },
    })
  }
}
