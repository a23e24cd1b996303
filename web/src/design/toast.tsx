import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { announce } from './announce.tsx'
import { messageOf, requestIdOf } from './error-text.ts'
import { hideMessage, showMessage } from './messages.tsx'
import { lastUndo, rememberUndo, takeBack, type Undoable } from './undo-stack.ts'

const UNDO_MS = 10_000
const DONE_MS = 5_000

let passing: string | null = null

/** Shows a message that passes by itself, in the place of the one before: what that said may not be so any more. */
function showPassing(message: Parameters<typeof showMessage>[0]): string {
  if (passing !== null) hideMessage(passing)
  passing = showMessage(message)
  return passing
}

/** Says that something is done. It passes by itself; what must not be missed is on the page. */
export function showDone(text: string): void {
  showPassing({
    message: text,
    role: 'status',
    color: 'teal',
    autoClose: DONE_MS,
    closeButtonProps: closeButtonProps(),
  })
}

/** Shows a text to be copied by hand. Stays until it is closed. */
export function showText(text: string): void {
  showMessage({ message: text, role: 'status', autoClose: false, closeButtonProps: closeButtonProps() })
}

/**
 * Says why something was not done, also to a screen reader at once: nothing went wrong, and nothing has to be done about
 * it.
 */
export function showWhyNot(why: string): void {
  announce(why)
  showPassing({ message: why, role: 'status', color: 'gray', autoClose: DONE_MS, closeButtonProps: closeButtonProps() })
}

/** Says what went wrong with an action that has no better place for it. Stays until it is closed. */
export function showError(error: unknown): void {
  const requestId = requestIdOf(error)
  showMessage({
    title: t`That did not work`,
    message: (
      <>
        {messageOf(error)}
        {requestId && (
          <Text size="xs" c="dimmed">
            <Trans>Request {requestId}</Trans>
          </Text>
        )}
      </>
    ),
    role: 'alert',
    color: 'red',
    autoClose: false,
    closeButtonProps: closeButtonProps(),
  })
}

/**
 * Says what was done and offers to take it back, for 10 seconds and as long as pointer or focus is on it. Afterwards
 * Ctrl+Z (on a Mac Command+Z) still does, for the last 20.
 */
export function showUndo(entry: Undoable): void {
  rememberUndo(entry)
  offerUndo(entry)
}

/** The message that offers to take something back. */
const offers = new WeakMap<Undoable, string>()

function offerUndo(entry: Undoable): void {
  const id = showPassing({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{entry.message}</span>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            hideMessage(id)
            void undo(() => entry)
          }}
        >
          <Trans>Undo</Trans>
        </Button>
      </Group>
    ),
    role: 'status',
    autoClose: UNDO_MS,
    closeButtonProps: closeButtonProps(),
  })
  offers.set(entry, id)
}

/** Says what another member did, with one thing to do about it. Stays as long as an undo does. */
export function showNews(text: string, action: { label: string; run: () => void }): void {
  const id = showPassing({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{text}</span>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            hideMessage(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      </Group>
    ),
    role: 'status',
    color: 'yellow',
    autoClose: UNDO_MS,
    closeButtonProps: closeButtonProps(),
  })
}

/** Undoes the last thing done, if there is any. */
export function undoLast(): Promise<void> {
  return undo(lastUndo)
}

/** Undoes something that was done, if that is still possible. */
export function undoThis(entry: Undoable): Promise<void> {
  return undo(() => entry)
}

async function undo(which: () => Undoable | undefined): Promise<void> {
  const outcome = await takeBack(which)
  if (!outcome) return
  const { entry } = outcome
  // Taken back by keys: what offers it has nothing to offer any more.
  const offer = offers.get(entry)
  if (offer !== undefined) hideMessage(offer)
  if (outcome.undone) return showDone([t`Undone: ${entry.message}`, outcome.reported].join(' ').trim())
  showError(outcome.error)
  if (outcome.kept) offerUndo(entry)
}

const closeButtonProps = () => ({ 'aria-label': t`Close this message` })
