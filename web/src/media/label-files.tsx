import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Label, LibraryFile } from '#contract'
import * as LIMITS from '#contract/limits'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { showDone, showError, showUndo } from '../design/toast.tsx'
import { LabelChoice } from '../planning/labels/label-choice.tsx'
import { useLabels } from '../planning/labels/labels-query.ts'
import { NewLabel } from '../post-set/new-label.tsx'

interface LabelFilesProps {
  files: readonly LibraryFile[]
  onClose: () => void
  /** Behind the change of all files. */
  onDone: () => void
}

/** Gives several files a label, or takes one from them that all of them have. */
export function LabelFiles({ files, onClose, onDone }: LabelFilesProps) {
  const { t } = useLingui()
  const mayCreate = useMay('labels:manage')
  const labels = [...useLabels().values()]
  const [creating, setCreating] = useState(false)
  const choose = async (label: Label, has: boolean) => {
    onClose()
    if (await giveLabel(files, label, has)) onDone()
  }
  if (creating) return <NewLabel onClose={() => setCreating(false)} onCreated={(label) => void choose(label, true)} />
  return (
    <Modal opened onClose={onClose} title={t`Labels`}>
      <Stack>
        <Text>
          {labels.length === 0 ? (
            <Trans>The account has no labels yet.</Trans>
          ) : (
            <Plural
              value={files.length}
              one="Choose a label for # file. A label that it already has is removed."
              other="Choose a label for # files. A label that all of them already have is removed."
            />
          )}
        </Text>
        <LabelChoice labels={labels} subjects={files} onChoose={(label, has) => void choose(label, has)} />
        {mayCreate && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            <Trans>New label…</Trans>
          </Button>
        )}
      </Stack>
    </Modal>
  )
}

/** Sends it, some files at a time, and offers to undo what it changed. False: not all of it was done, which is shown. */
async function giveLabel(files: readonly { id: string }[], label: Label, has: boolean): Promise<boolean> {
  const changed: { id: string }[] = []
  const failure = await send(files, label, has, changed).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  await readAgain('POST /media-library/labels')
  if (failure === null || changed.length > 0) sayDone(changed, label, has)
  if (failure) showError(failure.error)
  return failure === null
}

async function send(files: readonly { id: string }[], label: Label, has: boolean, changed: { id: string }[]) {
  for (let from = 0; from < files.length; from += LIMITS.filesAtOnce) {
    const mediaIds = files.slice(from, from + LIMITS.filesAtOnce).map(({ id }) => id)
    const answer = await call('POST /media-library/labels', { body: { mediaIds, labelId: label.id, has } })
    changed.push(...answer.mediaIds.map((id) => ({ id })))
  }
}

function sayDone(changed: readonly { id: string }[], label: Label, has: boolean): void {
  const { name } = label
  const { length } = changed
  if (length === 0) {
    showDone(has ? t`All of them have ${name} already.` : t`None of them has ${name}.`)
    return
  }
  const message = has
    ? plural(length, { one: `${name} added to # file.`, other: `${name} added to # files.` })
    : plural(length, { one: `${name} removed from # file.`, other: `${name} removed from # files.` })
  const undo = async () => {
    await send(changed, label, !has, []).finally(() => readAgain('POST /media-library/labels'))
  }
  showUndo({ message, undo })
}
