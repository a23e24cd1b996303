import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Group, Text } from '@mantine/core'
import { RouterButton } from '../frame/links.tsx'
import type { KeptText } from './keeping/use-keeping.ts'

interface KeptNoticeProps {
  keeping: KeptText
  socialSetId: string
  onDiscard: () => void
}

/** Says of a text that it was kept, or that another window has done something with it, and asks what counts. */
export function KeptNotice({ keeping, socialSetId, onDiscard }: KeptNoticeProps) {
  const { t } = useLingui()
  const { now, changed, tookOther, keptThis, wentOn } = keeping
  const { phase, offer, restored, id, postSetId } = now
  const discard = (
    <Button variant="default" size="compact-sm" onClick={onDiscard}>
      <Trans>Discard it</Trans>
    </Button>
  )
  if (phase === 'open') {
    if (!restored || !changed) return null
    return (
      <Notice title={t`What you wrote before was kept`} says={<Trans>It is not saved yet.</Trans>}>
        {discard}
      </Notice>
    )
  }
  if (phase === 'asked') {
    if (!offer) return null
    if (!changed) {
      return (
        <Notice title={t`What you wrote before was kept`} says={<Trans>You see the post as it is now.</Trans>}>
          <Button variant="default" size="compact-sm" onClick={tookOther}>
            <Trans>Use what I wrote</Trans>
          </Button>
          <Button variant="default" size="compact-sm" onClick={keptThis}>
            <Trans>Discard it</Trans>
          </Button>
        </Notice>
      )
    }
    const other = offer.draft.caption.trim().split('\n')[0] || t`Post without text`
    return (
      <Notice
        title={t`You have written something else in another window`}
        says={<span dir="auto">{t`“${other}”`}</span>}
      >
        <Button variant="default" size="compact-sm" onClick={tookOther}>
          <Trans>Use that</Trans>
        </Button>
        <Button variant="default" size="compact-sm" onClick={keptThis}>
          <Trans>Keep what is here</Trans>
        </Button>
      </Notice>
    )
  }
  if (phase === 'discarded') {
    return (
      <Notice
        title={
          postSetId === null
            ? t`You have discarded this in another window`
            : t`You have saved or discarded this in another window`
        }
        says={<Trans>What you see is kept nowhere else.</Trans>}
      >
        <Button variant="default" size="compact-sm" onClick={keptThis}>
          <Trans>Keep what is here</Trans>
        </Button>
        {discard}
      </Notice>
    )
  }
  if (phase === 'saved') {
    return (
      <Notice title={t`You have saved this in another window`} says={<Trans>What you see may differ from it.</Trans>}>
        <RouterButton
          variant="default"
          size="compact-sm"
          to="/scheduling/calendar/$view"
          params={{ view: 'month' }}
          search={{ set: socialSetId, post: id }}
        >
          <Trans>Open that post</Trans>
        </RouterButton>
        <Button variant="default" size="compact-sm" onClick={wentOn}>
          <Trans>Go on as a new post</Trans>
        </Button>
      </Notice>
    )
  }
  return null
}

function Notice({ title, says, children }: { title: string; says: React.ReactNode; children: React.ReactNode }) {
  return (
    <Alert role="status" p="sm" title={title}>
      <Group justify="space-between">
        <Text size="sm">{says}</Text>
        <Group gap="xs">{children}</Group>
      </Group>
    </Alert>
  )
}
