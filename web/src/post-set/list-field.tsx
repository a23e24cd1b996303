import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Select } from '@mantine/core'
import { byLabel } from '../design/by-label.ts'
import { BESIDE } from './schema-field.tsx'
import type { Choices } from './use-choices.ts'

export interface Board {
  id: string
  name: string
}

interface FieldProps {
  label: string
  description: string
  required?: boolean
  error: string | null
}

interface ListFieldProps extends FieldProps {
  choices: readonly { value: string; title: string }[]
  value: string | null
  /** What the network was asked for; null of what is the same for all. */
  lists: Choices | null
  /** What an empty choice means. Default: the default of the account. */
  empty?: string
  onChange: (value: string | null) => void
}

/** A value out of what a network offers, found by typing. Where the network does not say what that is, it is asked again. */
export function ListField({ choices, lists, value, empty, onChange, required = false, ...common }: ListFieldProps) {
  const { t } = useLingui()
  const { label } = common
  const data = choices.map(({ value, title }) => ({ value, label: title }))
  // A choice that the network does not offer, or not yet, stays what it is. Its code says nothing to a person.
  if (value !== null && !choices.some((each) => each.value === value))
    data.push({ value, label: lists?.isAsked ? t`Loading…` : lists?.isMissing ? t`As before` : t`No longer offered` })
  return (
    <div>
      <Select
        {...common}
        size="sm"
        inputWrapperOrder={[...BESIDE]}
        data={data}
        value={value}
        onChange={onChange}
        withAsterisk={required}
        placeholder={lists?.isAsked ? t`Loading…` : (empty ?? t`Same as default`)}
        searchable
        filter={byLabel}
        clearable
        nothingFoundMessage={t`No option has this name`}
        clearButtonProps={{ 'aria-label': t`Clear ${label}` }}
      />
      {lists?.isMissing && choices.length === 0 && (
        <Button variant="subtle" size="compact-xs" onClick={lists.askAgain}>
          <Trans>The list could not be loaded. Try again</Trans>
        </Button>
      )}
    </div>
  )
}

interface OfferedFieldProps extends FieldProps {
  picker: 'category' | 'audience'
  /** Names of its values; those of others are the network's own. */
  titles: Readonly<Record<string, string>> | null
  lists: Choices
  value: string | null
  onChange: (value: string | null) => void
}

/** What the network offers the account. Nothing is chosen for a person; without a default of the account one has to be. */
export function OfferedField({ picker, titles, ...props }: OfferedFieldProps) {
  const { t } = useLingui()
  const offered = props.lists.list(picker)
  const choices = (offered?.options ?? []).map(({ value, title }) => ({ value, title: titles?.[value] ?? title }))
  const own = choices.find((each) => each.value === offered?.value)?.title
  return (
    <ListField
      {...props}
      choices={choices}
      required={offered !== null && offered.value === null}
      empty={own ? t`Same as default: ${own}` : offered?.value === null ? t`Choose` : t`Same as default`}
    />
  )
}

interface BoardFieldProps extends FieldProps {
  lists: Choices
  value: Board | null
  onChange: (board: Board | null) => void
}

/** The board of a pin: its own, or that of the account. Where the account has none, one has to be chosen. */
export function BoardField({ value, onChange, ...props }: BoardFieldProps) {
  const { t } = useLingui()
  const offered = props.lists.list('board')
  const choices = (offered?.options ?? []).map(({ value, title }) => ({ value, title }))
  if (value && !choices.some((each) => each.value === value.id)) choices.push({ value: value.id, title: value.name })
  const own = choices.find((each) => each.value === offered?.value)?.title
  return (
    <ListField
      {...props}
      choices={choices}
      required={offered !== null && offered.value === null}
      empty={own ?? t`Choose a board`}
      value={value?.id ?? null}
      onChange={(id) => {
        const chosen = choices.find((each) => each.value === id)
        onChange(chosen ? { id: chosen.value, name: chosen.title } : null)
      }}
    />
  )
}
