import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Loader, Radio, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Hold, LateChoice, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { change } from '../api/change.ts'
import { type Body, call } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { networkName } from '../design/network-icon.tsx'
import { ErrorState } from '../design/states.tsx'
import { showDone, showText } from '../design/toast.tsx'
import { placeOf, resumedWords, type StopTarget, stoppedWords } from './hold-words.ts'
import { PublishAnyway, WithNetworks } from './release-questions.tsx'

/** Asks what to stop, and why. */
export function StopDialog({ target, onClose }: { target: StopTarget; onClose: () => void }) {
  const form = useForm({
    initial: { everything: target.socialSet === null, reason: '' },
    check: { reason: filled(t`Enter a reason. Your team sees it until publishing is resumed.`) },
    async send({ everything, reason }) {
      const placed = await change('POST /holds', { body: { ...scopeOf(target, everything), reason: reason.trim() } })
      // What cannot be stopped any more must not be missed.
      if (placed.withNetworks > 0) showText(stoppedWords(placed))
      else showDone(stoppedWords(placed))
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={t`Stop publishing?`}
      returnFocus={false}
      centered
      transitionProps={{ duration: 0 }}
    >
      <Form form={form}>
        <Text>
          <Trans>
            Nothing is published until you resume. Posts stay where they are and can be edited. Posts that are already
            with a network cannot be stopped.
          </Trans>
        </Text>
        <What
          target={target}
          everything={form.values.everything}
          onChange={(everything) => form.set('everything', everything)}
        />
        <TextInput
          label={t`Reason`}
          placeholder={t`Wrong price in the campaign`}
          autoComplete="off"
          maxLength={LIMITS.nameCodePoints}
          data-autofocus
          {...form.text('reason')}
          withAsterisk
        />
        <Failure error={form.rest} />
        <FormButtons form={form} submit={t`Stop publishing`} danger onCancel={onClose} />
      </Form>
    </Modal>
  )
}

function scopeOf({ socialSet, connection }: StopTarget, everything: boolean): Omit<Body<'POST /holds'>, 'reason'> {
  if (everything || socialSet === null) return { scope: 'ACCOUNT' }
  if (connection) return { scope: 'CONNECTION', id: connection.id }
  return { scope: 'SOCIAL_SET', id: socialSet.id }
}

/** The brand, or all of them; a connection is named where it is chosen. */
function What({ target, everything, onChange }: WhatProps) {
  const { account, socialSetIds } = useSession()
  const { socialSet, connection } = target
  if (connection) {
    const network = networkName(connection.accountType)
    return (
      <Text>
        <Trans>
          This stops{' '}
          <strong>
            {connection.name} on {network}
          </strong>{' '}
          only. Other networks of a post publish at its time.
        </Trans>
      </Text>
    )
  }
  if (socialSet === null) {
    return (
      <Text>
        <Trans>
          This stops <strong>all brands of {account.name}</strong>.
        </Trans>
      </Text>
    )
  }
  if (socialSetIds !== null) return <OfBrand socialSet={socialSet} />
  return (
    <Radio.Group
      label={t`What to stop`}
      value={everything ? 'all' : 'one'}
      onChange={(value) => onChange(value === 'all')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="one" label={socialSet.name} description={t`Every network of this brand.`} />
        <Radio value="all" label={t`All brands of ${account.name}`} description={t`Everything in this account.`} />
      </Stack>
    </Radio.Group>
  )
}

interface WhatProps {
  target: StopTarget
  everything: boolean
  onChange: (everything: boolean) => void
}

const OfBrand = ({ socialSet }: { socialSet: SocialSet }) => (
  <Text>
    <Trans>
      This stops <strong>{socialSet.name}</strong> on every network.
    </Trans>
  </Text>
)

/** Asks what to do with what is late, and lets publishing go on. */
export function ResumeDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const waiting = useQuery({
    // Not below the holds: after the release there is nothing to count any more.
    queryKey: ['hold-waiting', hold.id],
    queryFn: ({ signal }) => call('GET /holds/:id/waiting', { params: { id: hold.id }, signal }),
    // A count of this moment.
    gcTime: 0,
    staleTime: 0,
  })
  const { postSets: number = 0, mayHaveGoneOut = 0, withNetworks = 0 } = waiting.data ?? {}

  const initial: { late: LateChoice | null; sure: boolean } = { late: null, sure: false }
  const form = useForm({
    initial,
    check: {
      late: (value) => (number > 0 && value === null ? t`Choose what happens to the late posts.` : null),
      sure: (sure, { late }) =>
        mayHaveGoneOut > 0 && late === 'PUBLISH' && !sure ? t`Confirm that they publish again.` : null,
    },
    async send({ late }) {
      if (!waiting.data) return
      // What comes due between the count and the release was not asked about: it goes out at its time.
      const body = { late: late ?? 'PUBLISH', ...(mayHaveGoneOut > 0 && { mayHaveGoneOut }) }
      showDone(resumedWords(await change('POST /holds/:id/release', { params: { id: hold.id }, body })))
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={t`Resume publishing for ${placeOf(hold)}?`}
      returnFocus={false}
      centered
      transitionProps={{ duration: 0 }}
    >
      <Form form={form}>
        {waiting.isPending && <Loader size="sm" role="status" aria-label={t`Loading`} />}
        {waiting.error && (
          <ErrorState
            title={t`The late posts could not be counted`}
            error={waiting.error}
            onRetry={() => void waiting.refetch()}
          />
        )}
        {waiting.data && number === 0 && (
          <Text>
            <Trans>No post is late. Scheduled posts will publish at their times again.</Trans>
          </Text>
        )}
        {number > 0 && (
          <Radio.Group
            label={plural(number, {
              one: '# post was due while publishing was stopped. What should happen to it?',
              other: '# posts were due while publishing was stopped. What should happen to them?',
            })}
            value={form.values.late ?? ''}
            onChange={(value) => form.set('late', value === 'PARK' ? 'PARK' : 'PUBLISH')}
            error={form.wrong.late}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="PUBLISH" label={t`Publish now`} description={t`Right away, on all waiting networks.`} />
              <Radio
                value="PARK"
                label={t`Move to drafts`}
                description={t`Nothing is published until it is scheduled again. If a post is already on some networks, the others fail.`}
              />
            </Stack>
          </Radio.Group>
        )}
        {mayHaveGoneOut > 0 && (
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} py="xs">
            {plural(mayHaveGoneOut, {
              one: '# post may have been published already, by the Almanac that this one is a copy of. Look at the account first. As a draft it gets the label “May have gone out already”.',
              other:
                '# posts may have been published already, by the Almanac that this one is a copy of. Look at the accounts first. As drafts they get the label “May have gone out already”.',
            })}
          </Alert>
        )}
        {form.values.late === 'PUBLISH' && (
          <PublishAnyway
            count={mayHaveGoneOut}
            checked={form.values.sure}
            onChange={(event) => form.set('sure', event.currentTarget.checked)}
            error={form.wrong.sure}
          />
        )}
        <WithNetworks count={withNetworks} />
        <Failure error={form.rest} />
        <FormButtons form={form} submit={t`Resume publishing`} safe disabled={!waiting.data} onCancel={onClose} />
      </Form>
    </Modal>
  )
}
