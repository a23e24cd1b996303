import { lazyWithWords } from '../api/code.ts'
import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { networkName } from '../design/network-icon.tsx'
import { Part } from '../design/part.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { labelsQuery } from '../planning/labels/labels-query.ts'
import { ChangesShown } from '../planning/posts/changes-shown.tsx'
import { nameOf } from '../planning/posts/subject.ts'
import { ActionDialog } from './action-dialog.tsx'
import { DuplicateForm } from './duplicate-form.tsx'
import { LabelsForm } from './labels-form.tsx'
import { MoveForm } from './move-form.tsx'
import type { Prompt } from './prompt.ts'
import { SeriesForm } from './series-form.tsx'

const BrandForm = lazyWithWords(() => import('./brand-form.tsx').then(({ BrandForm }) => ({ default: BrandForm })))
const DecideForm = lazyWithWords(() => import('./decide-form.tsx').then(({ DecideForm }) => ({ default: DecideForm })))

/** The dialog that an action asks with. */
export function PromptDialog({ asked, socialSet }: { asked: Prompt; socialSet: SocialSet }) {
  const cancel = () => asked.answer(null)
  switch (asked.kind) {
    case 'clock':
      return (
        <ActionDialog title={asked.gap ? t`This time does not exist` : t`This time occurs twice`} onClose={cancel}>
          <ClockForm asked={asked} />
        </ActionDialog>
      )
    case 'series':
      return (
        <ActionDialog title={asked.change.title} onClose={cancel}>
          <SeriesForm asked={asked} zone={socialSet.timezone} />
        </ActionDialog>
      )
    case 'move':
      return (
        <ActionDialog title={asked.asked?.title ?? t`Move “${nameOf(asked.subject)}”`} onClose={cancel}>
          <MoveForm asked={asked} socialSet={socialSet} />
        </ActionDialog>
      )
    case 'decide':
      return (
        <ActionDialog title={t`Schedule on ${networkName(asked.network.accountType)}`} onClose={cancel}>
          <Part fallback={<LoadingRows rows={3} height={44} />}>
            <DecideForm asked={asked} socialSet={socialSet} />
          </Part>
        </ActionDialog>
      )
    case 'duplicate':
      return (
        <ActionDialog title={t`Duplicate`} onClose={cancel}>
          <DuplicateForm asked={asked} socialSet={socialSet} />
        </ActionDialog>
      )
    case 'brand':
      return (
        <ActionDialog
          title={
            asked.move === null ? t`To another brand` : asked.move ? t`Move to another brand` : t`Copy to another brand`
          }
          onClose={cancel}
        >
          <Part fallback={<LoadingRows rows={3} height={24} />}>
            <BrandForm asked={asked} zone={socialSet.timezone} />
          </Part>
        </ActionDialog>
      )
    case 'labels':
      return (
        <ActionDialog title={t`Labels`} onClose={cancel}>
          <Labels asked={asked} />
        </ActionDialog>
      )
    case 'reason':
      return (
        <ActionDialog title={t`Approve with a reason`} onClose={cancel}>
          <ReasonForm asked={asked} />
        </ActionDialog>
      )
    case 'request-changes':
      return (
        <ActionDialog title={t`Request changes`} onClose={cancel}>
          <RequestChangesForm asked={asked} />
        </ActionDialog>
      )
    case 'changed':
      return (
        <ActionDialog title={t`“${nameOf(asked.subject)}” has changed`} onClose={cancel}>
          <ChangedForm asked={asked} zone={socialSet.timezone} />
        </ActionDialog>
      )
  }
}

function ClockForm({ asked }: { asked: Extract<Prompt, { kind: 'clock' }> }) {
  return (
    <Stack>
      <Text>
        {asked.gap
          ? t`Clocks go forward on this day and skip the time. Choose another one.`
          : t`Clocks go back on this day and show the time twice. Choose one.`}
      </Text>
      <Group>
        {asked.choices.map(({ instant, label }, index) => (
          <Button
            key={instant}
            variant="default"
            onClick={() => asked.answer(instant)}
            data-autofocus={index === 0 || undefined}
          >
            {label}
          </Button>
        ))}
        <Button variant="subtle" onClick={() => asked.answer(null)}>
          <Trans>Cancel</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

function Labels({ asked }: { asked: Extract<Prompt, { kind: 'labels' }> }) {
  const { data, error, refetch } = useQuery(labelsQuery)
  if (data) return <LabelsForm asked={asked} labels={data} />
  if (!error) return <LoadingRows rows={3} height={24} label={t`Loading the labels…`} />
  return <ErrorState title={t`The labels could not be loaded`} error={error} onRetry={() => void refetch()} />
}

/** What others changed since it was seen, and whether the decision stays. */
function ChangedForm({ asked, zone }: { asked: Extract<Prompt, { kind: 'changed' }>; zone: string }) {
  return (
    <Stack>
      <Text>
        <Trans>It is not as you saw it anymore. Look at what is different, then decide.</Trans>
      </Text>
      {Object.keys(asked.since.changes).length > 0 || asked.since.earlier > 0 ? (
        <ChangesShown postSetId={asked.subject.id} changed={asked.since} zone={zone} />
      ) : (
        <Text size="sm" c="dimmed">
          <Trans>What it says and when it goes out is as you saw it. Someone locked, labeled or approved it.</Trans>
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => asked.answer(null)} data-autofocus>
          <Trans>Do not decide yet</Trans>
        </Button>
        <Button onClick={() => asked.answer(true)}>{asked.verb}</Button>
      </Group>
    </Stack>
  )
}

function ReasonForm({ asked }: { asked: Extract<Prompt, { kind: 'reason' }> }) {
  const form = useForm({
    initial: { reason: '' },
    check: { reason: filled(t`Enter a reason.`) },
    send: ({ reason }) => asked.answer(reason.trim()),
  })
  return (
    <Form form={form}>
      <Textarea
        label={t`Why do you approve “${nameOf(asked.subject)}” without another reviewer?`}
        description={t`The history keeps the reason.`}
        autosize
        minRows={3}
        maxLength={LIMITS.metadataCodePoints}
        data-autofocus
        {...form.text('reason')}
      />
      <FormButtons form={form} submit={t`Approve with a reason`} onCancel={() => asked.answer(null)} />
    </Form>
  )
}

function RequestChangesForm({ asked }: { asked: Extract<Prompt, { kind: 'request-changes' }> }) {
  const form = useForm({
    initial: { message: '' },
    check: { message: filled(t`Describe what has to change.`) },
    send: ({ message }) => asked.answer(message.trim()),
  })
  return (
    <Form form={form}>
      <Textarea
        label={t`What has to change in “${nameOf(asked.subject)}”?`}
        autosize
        minRows={3}
        maxLength={LIMITS.metadataCodePoints}
        data-autofocus
        {...form.text('message')}
      />
      <FormButtons form={form} submit={t`Request changes`} onCancel={() => asked.answer(null)} />
    </Form>
  )
}
