import { Trans } from '@lingui/react/macro'
import { NativeSelect, Radio, Stack, Table, Text } from '@mantine/core'
import { useId } from 'react'
import type { NewsCause, NewsChoice } from '#contract'
import { CAUSE_WORDS, type CauseRow, CHOICE_WORDS, CHOICES } from './notifications-words.ts'

interface ChoiceRowsProps {
  label: string
  /** What it is called to choose nothing: "Default". */
  otherwise: string
  rows: readonly CauseRow[]
  onChoose: (cause: NewsCause, choice: NewsChoice | null) => void
}

/** Causes by choices, each a radio button. */
export function ChoiceTable({ label, otherwise, rows, onChoose }: ChoiceRowsProps) {
  const name = useId()
  const options = [null, ...CHOICES]
  const wordsOf = (choice: NewsChoice | null) => (choice === null ? otherwise : CHOICE_WORDS[choice])
  return (
    <Table.ScrollContainer minWidth={680} type="native">
      <Table verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>News</Trans>
            </Table.Th>
            {options.map((choice) => (
              <Table.Th key={choice ?? ''} ta="center" w={96} style={{ overflowWrap: 'break-word' }}>
                {wordsOf(choice)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const title = CAUSE_WORDS[row.cause]
            return (
              <Table.Tr key={row.cause}>
                <Table.Th scope="row" fw={400}>
                  <Text size="sm" fw={600}>
                    {title}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {otherwise}: {row.otherwise}
                  </Text>
                </Table.Th>
                {options.map((choice) => (
                  <Table.Td key={choice ?? ''}>
                    <Radio
                      name={`${name} ${row.cause}`}
                      aria-label={`${title}: ${wordsOf(choice)}`}
                      checked={row.choice === choice}
                      onChange={() => onChoose(row.cause, choice)}
                      styles={{ body: { justifyContent: 'center' } }}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The same on narrow screens: a select for each cause. */
export function ChoiceSelects({ label, otherwise, rows, onChoose }: ChoiceRowsProps) {
  return (
    <Stack component="section" gap="md" aria-label={label}>
      {rows.map(({ cause, choice, otherwise: words }) => (
        <NativeSelect
          key={cause}
          label={CAUSE_WORDS[cause]}
          data={[
            { value: '', label: `${otherwise}: ${words}` },
            ...CHOICES.map((value) => ({ value, label: CHOICE_WORDS[value] })),
          ]}
          value={choice ?? ''}
          onChange={({ currentTarget: { value } }) => onChoose(cause, CHOICES.find((each) => each === value) ?? null)}
        />
      ))}
    </Stack>
  )
}
