import { Plural, useLingui } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import type { SocialSet } from '#contract'
import { Modal } from '../design/dialogs.tsx'
import { FileUses } from '../library/file-uses.tsx'

interface InUseProps {
  /** That were to be deleted; none: nothing is shown. */
  files: readonly { id: string; name: string }[]
  socialSet: SocialSet
  onClose: () => void
}

/** Files that were not deleted, each with the posts that keep it. */
export function InUse({ files, socialSet, onClose }: InUseProps) {
  const { t } = useLingui()
  return (
    <Modal opened={files.length > 0} onClose={onClose} title={t`Not deleted`}>
      <Stack>
        <Text>
          <Plural
            value={files.length}
            one="A draft or scheduled post has this file. Take it out of the post first."
            other="Drafts or scheduled posts have these files. Take them out of the posts first."
          />
        </Text>
        {files.map(({ id, name }) => (
          <section key={id}>
            <Text component="h3" size="sm" fw={600} m={0} mb={6} dir="auto">
              {name}
            </Text>
            <FileUses fileId={id} socialSet={socialSet} blocking />
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
