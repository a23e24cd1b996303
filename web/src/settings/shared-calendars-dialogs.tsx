import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { MadeSharedCalendar, SharedCalendar, SharedCalendarVisitor } from '#contract'
import { CopyField } from '../design/copy-field.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { NewAddressDialog, OnceDialog, SecretAddress } from './address-dialog.tsx'
import { CalendarFeedPart } from './calendar-feed.tsx'
import { sharedFeed } from './calendar-feed-requests.ts'
import { deviceText } from './device-text.ts'
import { type SharedCalendarFields, SharedCalendarForm } from './shared-calendars-form.tsx'
import {
  createSharedCalendar,
  renewSharedCalendar,
  updateSharedCalendar,
  visitorsQuery,
} from './shared-calendars-requests.ts'

interface SharedDialogProps {
  shared: SharedCalendar
  onClose: () => void
}

/** Makes a link, then shows it. */
export function CreateSharedCalendar({ socialSetId, onClose }: { socialSetId: string | null; onClose: () => void }) {
  const [made, setMade] = useState<MadeSharedCalendar | null>(null)
  const sending = useRef(false)
  const create = async (fields: SharedCalendarFields) => {
    sending.current = true
    try {
      setMade(await createSharedCalendar(fields))
    } finally {
      sending.current = false
    }
  }
  const name = made?.sharedCalendar.name
  return (
    <OnceDialog
      title={name === undefined ? t`Share a calendar` : t`Copy the link of “${name}”`}
      stays={made !== null}
      onClose={() => !sending.current && onClose()}
    >
      {made ? (
        <SecretAddress
          label={t`Link for your guests`}
          address={made.address}
          guarded={made.sharedCalendar.hasPasscode}
          kept
          onDone={onClose}
        >
          <SendIt />
        </SecretAddress>
      ) : (
        <SharedCalendarForm
          socialSetId={socialSetId}
          submitLabel={t`Create link`}
          onSubmit={create}
          onCancel={onClose}
        />
      )}
    </OnceDialog>
  )
}

function SendIt() {
  return (
    <Text size="sm">
      <Trans>Send it to your client, by mail or chat. They need no account. You can copy it again at any time.</Trans>
    </Text>
  )
}

/** Shows the address of a link again, to be copied. */
export function CopiedLink({ name, address, onClose }: { name: string; address: string; onClose: () => void }) {
  return (
    <OnceDialog title={t`Copy the link of “${name}”`} onClose={onClose}>
      <Stack>
        <CopyField label={t`Link for your guests`} value={address} copyLabel={t`Copy address`} focused />
        <SendIt />
      </Stack>
    </OnceDialog>
  )
}

/** Changes what a link shows, what guests may do, and how it is guarded. */
export function EditSharedCalendar({ shared, onClose }: SharedDialogProps) {
  return (
    <OnceDialog title={t`Edit “${shared.name}”`} onClose={onClose}>
      <SharedCalendarForm
        present={shared}
        submitLabel={t`Save changes`}
        onSubmit={async (fields) => {
          await updateSharedCalendar(shared.id, fields)
          showDone(t`Saved: ${fields.name}`)
          onClose()
        }}
        onCancel={onClose}
      />
    </OnceDialog>
  )
}

/** Gives a link another address. */
export function RenewSharedCalendar({ shared, onClose }: SharedDialogProps) {
  const { name, hasPasscode } = shared
  return (
    <NewAddressDialog
      title={t`Replace the link of “${name}”?`}
      question={t`The present link, its calendar address and the links in mails to guests end at once. Guests who want mails have to ask for them again.`}
      confirmLabel={t`Replace the link`}
      issue={() => renewSharedCalendar(shared)}
      issued={{
        title: t`Copy the link of “${name}”`,
        label: t`Link for your guests`,
        words: <SendIt />,
        guarded: hasPasscode,
        kept: true,
      }}
      onClose={onClose}
    />
  )
}

/** The address at which calendar programs read what a link shows. */
export function SharedCalendarFeed({ shared: { id, name }, onClose }: SharedDialogProps) {
  const source = useMemo(() => sharedFeed(id), [id])
  return (
    <OnceDialog title={t`Calendar address of “${name}”`} onClose={onClose}>
      <Stack>
        <Text>
          <Trans>
            A secret address at which calendar programs show what guests of this link see. It ends when the link is
            closed or replaced.
          </Trans>
        </Text>
        <CalendarFeedPart source={source} name={name} may />
      </Stack>
    </OnceDialog>
  )
}

/** Who has looked by a link, and when. */
export function Visitors({ shared: { id, name }, onClose }: SharedDialogProps) {
  const { data, error, isPending, refetch } = useQuery(visitorsQuery(id))
  return (
    <OnceDialog title={t`Views of “${name}”`} onClose={onClose}>
      {isPending ? (
        <LoadingRows />
      ) : !data ? (
        <ErrorState title={t`The guests could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : data.length === 0 ? (
        <Text>
          <Trans>No one has looked yet.</Trans>
        </Text>
      ) : (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Guests`}>
          {data.map((visitor) => (
            <Visitor key={visitor.id} visitor={visitor} />
          ))}
        </Stack>
      )}
    </OnceDialog>
  )
}

function Visitor({
  visitor: { name, device, hasNews, firstLookAt, lastLookAt, looks },
}: {
  visitor: SharedCalendarVisitor
}) {
  return (
    <li>
      <Text size="sm" fw={600} dir="auto">
        {name ?? t`Guest without a name`}
      </Text>
      <Text size="sm">
        <Trans>
          Last look <RelativeTime instant={lastLookAt} />.
        </Trans>{' '}
        <Trans>
          First look <RelativeTime instant={firstLookAt} />.
        </Trans>{' '}
        {plural(looks, { one: '# look.', other: '# looks.' })}
      </Text>
      <Text size="sm" c="dimmed">
        <span dir="auto">{deviceText(device)}</span>
        {hasNews && ' · '}
        {hasNews && <Trans>Gets mails</Trans>}
      </Text>
    </li>
  )
}
