import { Checkbox, Stack } from '@mantine/core'
import { words } from '../design/words.ts'

interface ChoicesListProps {
  label: string
  description: string
  error: string | null
  values: readonly string[]
  /** Names of the values, of no list (`ANY`), and of one that is empty (`NONE`). */
  titles: Readonly<Record<string, string>>
  /** Null: no list. */
  value: readonly string[] | null
  onChange: (value: readonly string[] | null) => void
}

const ANY = 'ANY'

/** Some of several values, none of them, or no choice at all. */
export function ChoicesList({ label, description, error, values, titles, value, onChange }: ChoicesListProps) {
  const choose = (next: readonly string[]) =>
    onChange(next.includes(ANY) && value !== null ? null : next.filter((each) => each !== ANY))
  return (
    <Checkbox.Group
      size="sm"
      {...{ label, error }}
      description={value?.length === 0 ? titles.NONE : description}
      value={[...(value ?? [ANY])]}
      onChange={choose}
    >
      <Stack gap={6} mt={4}>
        {[ANY, ...values].map((each) => (
          <Checkbox key={each} size="sm" value={each} label={titles[each] ?? words(each)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
