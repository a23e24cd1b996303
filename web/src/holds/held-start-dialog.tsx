import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { List, Loader, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HeldStartShown, LateChoice } from '#contract'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { usePreferences } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { ErrorState } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import { resumedWords } from './hold-words.ts'
import { PublishAnyway, WithNetworks } from './release-questions.tsx'

/** Asks what happens to the posts that were due meanwhile, and lets Almanac go on. For operators. */
export function HeldStartDialog({ start, onClose }: { start: HeldStartShown; onClose: () => void }) {
  const zone = useViewerZone()
  const preferences = usePreferences()
  const due = useQuery({
    queryKey: ['held-start-due'],
    queryFn: ({ signal }) => call('GET /held-start/due', { signal }),
    // A count of this moment.
    gcTime: 0,
    staleTime: 0,
  })
  const number = due.data?.postSets ?? 0
  const initial: { late: LateChoice; sure: boolean } = { late: 'PARK', sure: false }
  const form = useForm({
    initial,
    check: {
      sure: (sure, { late }) =>
        number > 0 && late === 'PUBLISH' && !sure ? t`Confirm that they publish again.` : null,
    },
    async send({ late }) {
      const body = number > 0 && late === 'PUBLISH' ? { late, postSets: number } : { late: 'PARK' as const }
      showDone(resumedWords(await change('POST /held-start/resume', { body })))
      onClose()
    },
  })
  const { withNetworks = 0, lastRanAt = null } = due.data ?? {}
  const ran = lastRanAt && formatDateTime(lastRanAt, zone, preferences)
  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={t`Is this the only Almanac?`}
      returnFocus={false}
      centered
      transitionProps={{ duration: 0 }}
    >
      <Form form={form}>
        {start.signs.length > 0 && (
          <List size="sm">
            {start.signs.map((sign) => (
              <List.Item key={sign}>{sign}</List.Item>
            ))}
          </List>
        )}
        <Text>
          <Trans>
            If another one runs on this data or on a copy of it, stop one of the two first. Both would publish the same
            posts, and networks would sign one of them out.
          </Trans>
        </Text>
        {ran && (
          <Text>
            <Trans>The other one was last seen running on {ran}.</Trans>
          </Text>
        )}
        {due.isPending && <Loader size="sm" role="status" aria-label={t`Loading`} />}
        {due.error && (
          <ErrorState
            title={t`The late posts could not be counted`}
            error={due.error}
            onRetry={() => void due.refetch()}
          />
        )}
        {due.data && number === 0 && (
          <Text>
            <Trans>No post was due meanwhile. Scheduled posts will publish at their times.</Trans>
          </Text>
        )}
        {number > 0 && (
          <Radio.Group
            label={plural(number, {
              one: '# post was due meanwhile and may have been published already. What should happen to it?',
              other: '# posts were due meanwhile and may have been published already. What should happen to them?',
            })}
            value={form.values.late}
            onChange={(value) => form.set('late', value === 'PUBLISH' ? 'PUBLISH' : 'PARK')}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="PARK"
                label={t`Move to drafts`}
                description={t`With the label “May have gone out already”. Posts that were on their way fail.`}
              />
              <Radio value="PUBLISH" label={t`Publish now`} description={t`Those that were published appear twice.`} />
            </Stack>
          </Radio.Group>
        )}
        {form.values.late === 'PUBLISH' && (
          <PublishAnyway
            count={number}
            checked={form.values.sure}
            onChange={(event) => form.set('sure', event.currentTarget.checked)}
            error={form.wrong.sure}
          />
        )}
        <WithNetworks count={withNetworks} />
        <Failure error={form.rest} />
        <FormButtons form={form} submit={t`Go on`} safe disabled={!due.data} onCancel={onClose} />
      </Form>
    </Modal>
  )
}
