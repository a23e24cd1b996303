import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { AccountType, MediaLibraryItem, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { EmptyState } from '../design/states.tsx'
import { ImportByAddress } from '../library/import-by-address.tsx'
import { Library } from '../library/library.tsx'
import { mediaItemQuery, NO_FILTERS } from '../library/library-queries.ts'
import { UnfinishedUploads } from '../library/unfinished-uploads.tsx'
import classes from './composer.module.css'
import { newMedia } from './draft.ts'
import type { DraftMedia } from './draft-shape.ts'

interface MediaPickerProps {
  socialSet: SocialSet
  opened: boolean
  /** What the files are for: a file that none of these takes cannot be chosen. */
  accountTypes: readonly AccountType[]
  onClose: () => void
  onPick: (items: DraftMedia[]) => void
}

/** Chooses files from the library of a brand, or brings one in from its address. */
export function MediaPicker({ opened, onClose, ...rest }: MediaPickerProps) {
  const { t } = useLingui()
  return (
    <Modal opened={opened} onClose={onClose} title={t`Add pictures and videos`} size={1040}>
      <Picker {...rest} onClose={onClose} />
    </Modal>
  )
}

function Picker({ socialSet, accountTypes, onClose, onPick }: Omit<MediaPickerProps, 'opened'>) {
  const queryClient = useQueryClient()
  const [filters, setFilters] = useState(NO_FILTERS)
  const [chosen, setChosen] = useState<readonly MediaLibraryItem[]>([])
  const { name } = socialSet
  const mayImport = useMay('media:write')
  const toggle = useCallback(
    (item: MediaLibraryItem) =>
      setChosen((now) =>
        now.some(({ id }) => id === item.id) ? now.filter(({ id }) => id !== item.id) : [...now, item],
      ),
    [],
  )
  const choose = useCallback(
    (id: string) => void queryClient.fetchQuery(mediaItemQuery(id)).then((item) => setChosen((now) => [...now, item])),
    [queryClient],
  )
  return (
    <Stack>
      <div className={classes.picker}>
        <Library
          socialSet={socialSet}
          filters={filters}
          onFilters={(change) => setFilters((now) => ({ ...now, ...change }))}
          selected={new Set(chosen.map(({ id }) => id))}
          onToggle={toggle}
          accountTypes={accountTypes}
          empty={
            <EmptyState>
              <Trans>
                The library of {name} is empty. Choose files of this computer, or import one from its address.
              </Trans>
            </EmptyState>
          }
        />
      </div>
      {mayImport && <UnfinishedUploads socialSet={socialSet} />}
      <Group justify="space-between" align="flex-end">
        {mayImport ? <ImportByAddress socialSet={socialSet} onReady={choose} /> : <span />}
        <Group>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            disabled={chosen.length === 0}
            onClick={() => {
              onPick(chosen.map(newMedia))
              onClose()
            }}
          >
            {chosen.length === 0 ? (
              <Trans>Add</Trans>
            ) : (
              <Plural value={chosen.length} one="Add # file" other="Add # files" />
            )}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
