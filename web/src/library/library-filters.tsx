import { useLingui } from '@lingui/react/macro'
import { Button, NativeSelect, Popover, Stack, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import type { MediaShape, MediaShown, MediaSort, MediaType } from '#contract'
import rows from '../design/rows.module.css'
import { useTyped } from '../design/use-typed.ts'
import { useIsWide } from '../frame/use-is-wide.ts'
import { useLabels } from '../planning/labels/labels-query.ts'
import { shapeWords, shownWords, sortWords } from './file-words.ts'
import classes from './library.module.css'
import { type LibraryFilters as Filters, numberOf } from './library-queries.ts'

const SHAPES: readonly MediaShape[] = ['SQUARE', 'PORTRAIT', 'VERTICAL', 'LANDSCAPE']
const SHOWN: readonly MediaShown[] = ['UNUSED', 'USED', 'NO_ALT_TEXT', 'DELETED']
const SORTS: readonly MediaSort[] = ['NEWEST', 'OLDEST', 'NAME', 'LARGEST']

interface LibraryFiltersProps {
  filters: Filters
  onChange: (change: Partial<Filters>) => void
  /** In the picker, where files are chosen: those that were deleted are not offered. */
  picks: boolean
}

/** Which files are shown, and in what order. */
export function LibraryFilters({ filters, onChange, picks }: LibraryFiltersProps) {
  const { t } = useLingui()
  const wide = useIsWide()
  const [typed, setTyped] = useTyped(filters.search, (search) => onChange({ search }))
  return (
    <div className={rows.filters}>
      <TextInput
        type="search"
        aria-label={t`Search media`}
        placeholder={t`Name or alt text`}
        leftSection={<IconSearch size={16} aria-hidden />}
        className={classes.search}
        maxLength={200}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      {wide && !picks ? (
        <div className={rows.selects}>
          <Selects filters={filters} onChange={onChange} picks={picks} />
        </div>
      ) : (
        <SelectsButton filters={filters} onChange={onChange} picks={picks} />
      )}
    </div>
  )
}

function SelectsButton(props: LibraryFiltersProps) {
  const { t } = useLingui()
  const number = numberOf(props.filters)
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
          {number > 0 ? t`Filters (${number})` : t`Filters`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Filters`}>
        <Stack gap="sm">
          <Selects {...props} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Selects({ filters, onChange, picks }: LibraryFiltersProps) {
  const { t } = useLingui()
  const labels = useLabels()
  const shown = picks ? SHOWN.filter((each) => each !== 'DELETED') : SHOWN
  return (
    <>
      <NativeSelect
        aria-label={t`Use`}
        value={filters.shown ?? ''}
        data={[{ value: '', label: t`All files` }, ...shown.map((value) => ({ value, label: shownWords(value) }))]}
        onChange={({ currentTarget: { value } }) => onChange({ shown: (value || null) as MediaShown | null })}
      />
      <NativeSelect
        aria-label={t`Kind`}
        value={filters.type ?? ''}
        data={[
          { value: '', label: t`All kinds` },
          { value: 'IMAGE', label: t`Pictures` },
          { value: 'VIDEO', label: t`Videos` },
          { value: 'DOCUMENT', label: t`Documents` },
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ type: (value || null) as MediaType | null })}
      />
      <NativeSelect
        aria-label={t`Shape`}
        value={filters.shape ?? ''}
        data={[{ value: '', label: t`Any shape` }, ...SHAPES.map((value) => ({ value, label: shapeWords(value) }))]}
        onChange={({ currentTarget: { value } }) => onChange({ shape: (value || null) as MediaShape | null })}
      />
      <NativeSelect
        aria-label={t`Added`}
        value={filters.month ?? ''}
        data={[
          { value: '', label: t`Any time` },
          { value: 'THIS', label: t`This month` },
          { value: 'LAST', label: t`Last month` },
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ month: (value || null) as Filters['month'] })}
      />
      {labels.size > 0 && (
        <NativeSelect
          aria-label={t`Label`}
          value={filters.label ?? ''}
          data={[
            { value: '', label: t`Any label` },
            ...[...labels.values()].map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ label: value || null })}
        />
      )}
      <NativeSelect
        aria-label={t`Order`}
        value={filters.sort}
        data={SORTS.map((value) => ({ value, label: sortWords(value) }))}
        onChange={({ currentTarget: { value } }) => onChange({ sort: value as MediaSort })}
      />
    </>
  )
}
