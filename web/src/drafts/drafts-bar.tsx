import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconCalendarCheck } from '@tabler/icons-react'
import type { PostSet } from '#contract'
import { useMay } from '../api/session.ts'
import rows from '../design/rows.module.css'
import { subjectOf } from '../planning/posts/subject.ts'
import { BulkBar } from '../post-set-actions/bulk-bar.tsx'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'

/** What is done to all drafts that are chosen. */
export function DraftsBar({ drafts, onClear }: { drafts: readonly PostSet[]; onClear: () => void }) {
  const { t } = useLingui()
  const actions = usePostSetActions()
  const mayPublish = useMay('post-sets:publish')
  return (
    <BulkBar
      className={rows.bar}
      label={t`Selected drafts`}
      chosen={drafts.map(subjectOf)}
      onClear={onClear}
      last={(changeable) =>
        mayPublish && (
          <Button
            disabled={changeable.length === 0}
            leftSection={<IconCalendarCheck size={16} aria-hidden />}
            onClick={() => {
              onClear()
              void actions.schedule(changeable)
            }}
          >
            {plural(changeable.length, { one: 'Schedule # draft', other: 'Schedule # drafts' })}
          </Button>
        )
      }
    />
  )
}
