import { useLingui } from '@lingui/react/macro'
import { NativeSelect } from '@mantine/core'
import type { ResultGroup, SocialSet } from '#contract'
import { networkLooks } from '../design/network-icon.tsx'
import rows from '../design/rows.module.css'
import { DAYS, DEFAULT_DAYS, GROUPS, type ResultsSearch, readFilters, readGroup } from './filters.ts'

interface ResultsFiltersProps {
  search: ResultsSearch
  brands: readonly SocialSet[]
  totals: Readonly<Record<ResultGroup, string | null>>
  onChange: (search: ResultsSearch) => void
}

/** Which results are shown. */
export function ResultsFilters({ search, brands, totals, onChange }: ResultsFiltersProps) {
  const { t } = useLingui()
  const { days, network } = readFilters(search)
  const only = readGroup(search)
  const words: Record<ResultGroup, string> = {
    'needs-you': t`Needs you`,
    'not-confirmed': t`Not confirmed`,
    inbox: t`In the inbox`,
    published: t`Published`,
    done: t`Marked as done`,
  }
  const change = (next: { [Name in keyof ResultsSearch]: ResultsSearch[Name] | undefined }) => {
    const entries = Object.entries({ ...search, ...next }).filter(([, value]) => value !== undefined)
    onChange(Object.fromEntries(entries) as ResultsSearch)
  }
  return (
    <div className={rows.filters}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons */}
      <div className={rows.segments} role="group" aria-label={t`Outcome`}>
        <button type="button" aria-pressed={only === null} onClick={() => change({ group: undefined })}>
          {t`All`}
        </button>
        {GROUPS.map((group) => (
          <button key={group} type="button" aria-pressed={only === group} onClick={() => change({ group })}>
            {words[group]} {totals[group] !== null && <span className={rows.number}>{totals[group]}</span>}
          </button>
        ))}
      </div>
      <div className={rows.selects}>
        {brands.length > 1 && (
          <NativeSelect
            aria-label={t`Brand`}
            value={search.brand ?? ''}
            data={[{ value: '', label: t`All brands` }, ...brands.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={({ currentTarget: { value } }) => change({ brand: value || undefined })}
          />
        )}
        <NativeSelect
          aria-label={t`Period`}
          value={days === null ? 'all' : String(days)}
          data={[
            ...DAYS.map((number) => ({ value: String(number), label: t`Last ${number} days` })),
            { value: 'all', label: t`All time` },
          ]}
          onChange={({ currentTarget: { value } }) =>
            change({ days: value === String(DEFAULT_DAYS) ? undefined : value })
          }
        />
        <NativeSelect
          aria-label={t`Network`}
          value={network ?? ''}
          data={[
            { value: '', label: t`All networks` },
            ...Object.entries(networkLooks).map(([value, { name }]) => ({ value, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => change({ net: value || undefined })}
        />
      </div>
    </div>
  )
}
