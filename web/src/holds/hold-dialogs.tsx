import '../design/more-styles.ts'
import { Button, Group, Loader, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Hold, HoldWaiting, LateChoice, PlacedHold, ReleasedHold, SocialSet } from '#contract'
import { api } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { fieldErrors, restOfError } from '../design/field-errors.ts'
import { networkName } from '../design/network-icon.tsx'
import { ErrorState } from '../design/states.tsx'
import { showDone, showText } from '../design/toast.tsx'
import { count } from '../design/words.ts'
import { placeOf, resumedWords, stoppedWords } from './hold-words.ts'
import { holdsChanged } from './queries.ts'
import type { StopTarget } from './use-hold-dialogs.tsx'

/** Asks what shall stop, and why. */
export function StopDialog({ target, onClose }: { target: StopTarget; onClose: () => void }) {
  const [everything, setEverything] = useState(target.socialSet === null)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const field = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    if (reason.trim() === '') {
      setMissing('Say why: your team reads it until publishing is resumed.')
      field.current?.focus()
      return
    }
    setBusy(true)
    try {
      const placed = await api.post<PlacedHold>('/holds', { ...bodyOf(target, everything), reason: reason.trim() })
      await holdsChanged()
      // What cannot be stopped any more must not be missed.
      if (placed.withNetworks > 0) showText(stoppedWords(placed))
      else showDone(stoppedWords(placed))
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title="Stop publishing?"
      returnFocus={false}
      centered
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Text>
            Nothing goes out until you resume. Posts stay where they are and can be edited. What a network has already
            got cannot be stopped.
          </Text>
          <What target={target} everything={everything} onChange={setEverything} />
          <TextInput
            ref={field}
            label="Reason"
            placeholder="Wrong price in the campaign"
            autoComplete="off"
            maxLength={200}
            required
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value)
              setMissing(null)
            }}
            error={missing ?? fieldErrors(error).reason}
            data-autofocus
          />
          <Failure error={restOfError(error, ['reason'])} />
          <Group justify="flex-end">
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={busy}>
              Stop publishing
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function bodyOf({ socialSet, connection }: StopTarget, everything: boolean): object {
  if (everything || socialSet === null) return { scope: 'ACCOUNT' }
  if (connection) return { scope: 'CONNECTION', id: connection.id }
  return { scope: 'SOCIAL_SET', id: socialSet.id }
}

/** The brand, or all of them; a connection is named where it is chosen. */
function What({ target, everything, onChange }: WhatProps) {
  const { account, socialSetIds } = useSession()
  const { socialSet, connection } = target
  if (connection) {
    return (
      <Text>
        This stops{' '}
        <strong>
          {connection.name} on {networkName(connection.accountType)}
        </strong>{' '}
        alone: other networks of a post go out at its time.
      </Text>
    )
  }
  if (socialSet === null) {
    return (
      <Text>
        This stops <strong>all brands of {account.name}</strong>.
      </Text>
    )
  }
  if (socialSetIds !== null) return <OfBrand socialSet={socialSet} />
  return (
    <Radio.Group
      label="What to stop"
      value={everything ? 'all' : 'one'}
      onChange={(value) => onChange(value === 'all')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="one" label={socialSet.name} description="Every network of this brand." />
        <Radio value="all" label={`All brands of ${account.name}`} description="Everything in this account." />
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
    This stops <strong>{socialSet.name}</strong> on every network.
  </Text>
)

/** Asks what shall become of what is late, and lets publishing go on. */
export function ResumeDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const [late, setLate] = useState<LateChoice | null>(null)
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const waiting = useQuery({
    // Not below the holds: after the release there is nothing to count any more.
    queryKey: ['hold-waiting', hold.id],
    queryFn: ({ signal }) => api.get<HoldWaiting>(`/holds/${hold.id}/waiting`, { signal }),
    // A count of this moment.
    gcTime: 0,
    staleTime: 0,
  })
  const number = waiting.data?.postSets ?? 0

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    setMissing(number > 0 && late === null)
    if (!waiting.data || (number > 0 && late === null)) return
    setBusy(true)
    try {
      // What comes due between the count and the release was not asked about: it goes out at its time.
      const body = { late: late ?? 'PUBLISH' }
      showDone(resumedWords(await api.post<ReleasedHold>(`/holds/${hold.id}/release`, body)))
      await holdsChanged()
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title={`Resume publishing for ${placeOf(hold)}?`}
      returnFocus={false}
      centered
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          {waiting.isPending && <Loader size="sm" role="status" aria-label="Loading" />}
          {waiting.error && (
            <ErrorState
              title="What is late could not be counted"
              error={waiting.error}
              onRetry={() => void waiting.refetch()}
            />
          )}
          {waiting.data && number === 0 && <Text>Nothing is late. Scheduled posts go out at their times again.</Text>}
          {number > 0 && (
            <Radio.Group
              label={`${count(number, 'post was', 'posts were')} due while publishing was stopped. What should happen to ${number === 1 ? 'it' : 'them'}?`}
              value={late ?? ''}
              onChange={(value) => {
                setLate(value === 'PARK' ? 'PARK' : 'PUBLISH')
                setMissing(false)
              }}
              error={missing && 'Choose what happens to what is late.'}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="PUBLISH" label="Publish now" description="Right away, on all networks that wait." />
                <Radio
                  value="PARK"
                  label="Move to drafts"
                  description="Nothing goes out until it is scheduled again. Where some networks have a post already, the others fail."
                />
              </Stack>
            </Radio.Group>
          )}
          <Failure error={error} />
          <Group justify="flex-end">
            <Button variant="default" disabled={busy} onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={!waiting.data}>
              Resume publishing
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
