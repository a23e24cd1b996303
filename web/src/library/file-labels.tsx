import { useLingui } from '@lingui/react/macro'
import { Chip, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MediaLibraryItem } from '#contract'
import { change } from '../api/change.ts'
import { useMay } from '../api/session.ts'
import { showError } from '../design/toast.tsx'
import { useLabels } from '../planning/labels/labels-query.ts'
import { labelsOfQuery } from './library-queries.ts'

/** The labels of a file, each to be switched on and off. Nothing where the account has none. */
export function FileLabels({ file: { id } }: { file: Pick<MediaLibraryItem, 'id'> }) {
  const { t } = useLingui()
  const may = useMay('labels:apply')
  const labels = useLabels()
  const { data = [] } = useQuery({ ...labelsOfQuery(id), retry: false })
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const chosen = asked ?? data
  const set = async (labelsId: string[]) => {
    setAsked(labelsId)
    await change('PUT /media-library/:id/labels', { params: { id }, body: { labelsId } }).catch(showError)
    setAsked(null)
  }
  const shown = may ? [...labels.values()] : [...labels.values()].filter((label) => chosen.includes(label.id))
  if (shown.length === 0) return null
  return (
    <section aria-label={t`Labels`}>
      <Text component="h3" size="sm" fw={600} m={0} mb={6}>
        {t`Labels`}
      </Text>
      <Chip.Group multiple value={[...chosen]} onChange={(next) => void set(next)}>
        <Group gap={6}>
          {shown.map((label) => (
            <Chip key={label.id} value={label.id} size="xs" disabled={!may}>
              {label.name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </section>
  )
}
