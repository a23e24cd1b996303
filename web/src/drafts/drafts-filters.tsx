import { useLingui } from '@lingui/react/macro'
import { Button, NativeSelect, Popover, Stack, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import * as LIMITS from '#contract/limits'
import rows from '../design/rows.module.css'
import { useTyped } from '../design/use-typed.ts'
import { useIsWide } from '../frame/use-is-wide.ts'
import { useLabels } from '../planning/labels/labels-query.ts'
import { DRAFT_APPROVALS, draftWords } from './draft-words.ts'
import classes from './drafts.module.css'

/** What is in the address, beside the brand. */
export interface DraftsSearch {
  set?: string
  q?: string
  /** Id of a label. */
  label?: string
  approval?: string
  /** `newest`, or by time. */
  sort?: string
  /** Id of the draft that is open beside the list. */
  post?: string
}

interface DraftsFiltersProps {
  search: DraftsSearch
  onChange: (change: { [Name in keyof DraftsSearch]: DraftsSearch[Name] | undefined }) => void
}

const MIN_SEARCH = LIMITS.searchCodePoints

/** Which drafts are shown, and in what order. */
export function DraftsFilters({ search, onChange }: DraftsFiltersProps) {
  const { t } = useLingui()
  const wide = useIsWide()
  const [typed, setTyped] = useTyped(search.q ?? '', (q) => onChange({ q: q || undefined }))
  const short = typed !== '' && typed.trim().length < MIN_SEARCH
  return (
    <div className={rows.filters}>
      <TextInput
        type="search"
        aria-label={t`Search drafts`}
        placeholder={t`Search drafts`}
        leftSection={<IconSearch size={16} aria-hidden />}
        className={classes.search}
        maxLength={200}
        value={typed}
        description={short ? t`At least ${MIN_SEARCH} letters` : undefined}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      {wide ? (
        <div className={rows.selects}>
          <Selects search={search} onChange={onChange} />
        </div>
      ) : (
        <SelectsButton search={search} onChange={onChange} />
      )}
    </div>
  )
}

/** Where there is no room for them, beside the search: the button says how many of them narrow the list. */
function SelectsButton({ search, onChange }: DraftsFiltersProps) {
  const { t } = useLingui()
  const number = [search.label, search.approval].filter(Boolean).length
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
          {number > 0 ? t`Filters (${number})` : t`Filters`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Filters`}>
        <Stack gap="sm">
          <Selects search={search} onChange={onChange} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Selects({ search, onChange }: DraftsFiltersProps) {
  const { t } = useLingui()
  const labels = useLabels()
  return (
    <>
      {labels.size > 0 && (
        <NativeSelect
          aria-label={t`Label`}
          value={search.label ?? ''}
          data={[
            { value: '', label: t`All labels` },
            ...[...labels.values()].map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ label: value || undefined })}
        />
      )}
      <NativeSelect
        aria-label={t`Approval`}
        value={search.approval ?? ''}
        data={[
          { value: '', label: t`Any approval` },
          ...DRAFT_APPROVALS.map((approval) => ({
            value: approval,
            label: approval === 'NONE' ? t`No approval asked for` : draftWords(approval),
          })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ approval: value || undefined })}
      />
      <NativeSelect
        aria-label={t`Order`}
        value={search.sort ?? ''}
        data={[
          { value: '', label: t`By time` },
          { value: 'newest', label: t`Newest first` },
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ sort: value || undefined })}
      />
    </>
  )
}
