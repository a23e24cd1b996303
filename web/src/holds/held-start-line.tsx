import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { HeldStartShown } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useSession } from '../api/session.ts'
import { useDialogState } from '../design/dialog-state.ts'
import { NoticeLine } from '../design/notice-line.tsx'
import { Part } from '../design/part.tsx'

const HeldStartDialog = lazyWithWords(() =>
  import('./held-start-dialog.tsx').then(({ HeldStartDialog }) => ({ default: HeldStartDialog })),
)

/** Says that nothing goes out because this Almanac may be a copy. Operators go on from here. */
export function HeldStartLine({ start }: { start: HeldStartShown }) {
  const { operator } = useSession()
  const { asked, open, close } = useDialogState<true>()
  return (
    <>
      <NoticeLine
        tone="danger"
        label={t`Almanac waits for an answer`}
        Icon={IconPlayerPause}
        action={
          operator && (
            <Button size="compact-sm" variant="default" onClick={() => open(true)}>
              <Trans>This is the only one: go on…</Trans>
            </Button>
          )
        }
      >
        <strong>
          {start.copy ? (
            <Trans>This Almanac may be a copy of another one, so nothing is published.</Trans>
          ) : (
            <Trans>Almanac was started so that nothing is published yet.</Trans>
          )}
        </strong>{' '}
        {operator ? (
          <Trans>
            No network is asked and no mail is sent until you answer. If another one is running, stop this one.
          </Trans>
        ) : (
          <Trans>You can go on planning. The person who operates Almanac has to let it go on.</Trans>
        )}
      </NoticeLine>
      <Part>{asked && <HeldStartDialog start={start} onClose={close} />}</Part>
    </>
  )
}
