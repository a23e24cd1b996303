import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { GuestVisit } from '#contract'
import { monthAndYear } from '../planning/dates/titles.ts'
import { go, toDo, usePlace } from './address.ts'
import controls from './controls.module.css'
import { otherToDo } from './data.ts'

/** "1 more in December 2030": what waits for the guest outside of the list that is shown, with the way there. */
export function OtherToDo({ visit, date }: { visit: GuestVisit; date: Temporal.PlainDate }) {
  const { t } = useLingui()
  const { brand } = usePlace()
  const { months, ofOtherBrands: count } = otherToDo(visit, { month: date.toString().slice(0, 7), brand })
  if (months.length === 0 && count === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div className={controls.others} role="group" aria-label={t`More that needs you`}>
      {months.map(({ month, count, day }) => {
        const name = monthAndYear(Temporal.PlainDate.from(`${month}-01`), null)
        return (
          <button key={month} type="button" className={controls.button} onClick={() => go(toDo(day))}>
            {plural(count, { one: `# more in ${name}`, other: `# more in ${name}` })}
          </button>
        )
      })}
      {count > 0 && <OfOtherBrands count={count} />}
    </div>
  )
}

/** What waits of brands that are not shown: shows all of them. */
export function OfOtherBrands({ count }: { count: number }) {
  return (
    <button type="button" className={controls.button} onClick={() => go({ brand: null })}>
      {plural(count, { one: '# more of other brands', other: '# more of other brands' })}
    </button>
  )
}
