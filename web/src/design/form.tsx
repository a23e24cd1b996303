import { t } from '@lingui/core/macro'
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import type { FieldProblem } from './error-summary.tsx'
import { passwordProblem } from './error-text.ts'
import { fieldErrors, restOfError } from './field-errors.ts'

type Words<Values> = { [Name in keyof Values]?: string | undefined }

interface FormOptions<Values> {
  /** What is in the fields at first, in the order of the page. Fields have the names that the endpoint's body has. */
  initial: Values
  /** Finds what is wrong with a value before it is sent: words for its field, null when nothing is. */
  check?: { [Name in keyof Values]?: (value: Values[Name], values: Values) => string | null }
  /** Sends it. What it throws is shown at the fields that it is about; what was typed stays. */
  send: (values: Values) => Promise<void> | void
  /** Words at fields for an error that names none itself. */
  explain?: (error: unknown) => Words<Values>
  /** The form has an `ErrorSummary`, which takes the focus when something is wrong. Without one the first field does. */
  summary?: boolean
}

/** What the parts of a form get. */
interface FormState {
  submit: (event: FormEvent) => void
  busy: boolean
}

/** A check: something has to be entered. */
export const filled = (words: string) => (value: string) => (value.trim() === '' ? words : null)

/** For `explain` of a form that a password confirms. */
export const explainPassword = (error: unknown): { password?: string } => {
  const password = passwordProblem(error)
  return password === null ? {} : { password }
}

/** The one way to write a form: what is in it, whether it is being sent, and what is wrong with it. */
export function useForm<Values extends object>({
  initial,
  check = {},
  send,
  explain,
  summary = false,
}: FormOptions<Values>) {
  type Name = keyof Values & string
  const prefix = useId()
  const names = Object.keys(initial) as Name[]
  const [start] = useState(initial)
  const [values, setValues] = useState(start)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Words<Values>>({})
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [rest, setRest] = useState<unknown>(null)
  const idOf = (name: Name) => `${prefix}-${name}`

  // After the fields are drawn: some are there only while something is wrong with them.
  useEffect(() => {
    const [first] = problems
    if (first && !summary) document.getElementById(first.field)?.focus()
  }, [problems, summary])

  const show = (found: Words<Values>) => {
    setWrong(found)
    setProblems(names.flatMap((name) => (found[name] ? [{ field: idOf(name), message: found[name] }] : [])))
  }
  const set = <N extends Name>(name: N, value: Values[N]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setWrong((before) => ({ ...before, [name]: undefined }))
  }
  /** Empties the form again. */
  const reset = useCallback(() => {
    setValues(start)
    setWrong({})
    setProblems([])
  }, [start])
  const submit = async () => {
    if (busy) return
    setRest(null)
    const found: Words<Values> = {}
    for (const name of names) found[name] = check[name]?.(values[name], values) ?? undefined
    show(found)
    if (names.some((name) => found[name])) return
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      const explained = explain?.(error) ?? {}
      show({ ...(fieldErrors(error) as Words<Values>), ...explained })
      setRest(Object.keys(explained).length > 0 ? null : restOfError(error, names))
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    busy,
    /** By field, as it is shown there. */
    wrong,
    /** For `ErrorSummary`, on top. */
    problems,
    /** What no field can say. */
    rest,
    set,
    reset,
    idOf,
    submit: (event: FormEvent) => {
      event.preventDefault()
      void submit()
    },
    /** What an input of text of that name is given. */
    text: (name: TextName<Values>) => ({
      id: idOf(name),
      value: String(values[name]),
      onChange: (event: { currentTarget: { value: string } }) =>
        set(name, event.currentTarget.value as Values[typeof name]),
      error: wrong[name],
      // The field of a password does not say it by itself.
      'aria-invalid': wrong[name] ? (true as const) : undefined,
      required: check[name] !== undefined,
      withAsterisk: false,
    }),
    /** What an input is given that takes and gives values of the field's own type. */
    choice: <N extends Name>(name: N) => ({
      value: values[name],
      onChange: (value: Values[N]) => set(name, value),
      error: wrong[name],
    }),
  }
}

/** Names of the fields that hold texts. */
type TextName<Values> = { [Name in keyof Values]: string extends Values[Name] ? Name : never }[keyof Values] & string

interface FormProps {
  form: FormState
  gap?: 'sm' | 'md' | 'lg' | 0
  children: ReactNode
}

/** The form's element, with its parts below each other. */
export function Form({ form, gap = 'md', children }: FormProps) {
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap={gap}>{children}</Stack>
    </form>
  )
}

interface FormButtonsProps {
  form: FormState
  /** The verb: "Save". */
  submit: string
  onCancel?: () => void
  cancel?: string
  /** Marks the button as dangerous. */
  danger?: boolean
  /** While it cannot be sent. */
  disabled?: boolean
  /** Cancel has the focus when a dialog opens. */
  safe?: boolean
}

/** The buttons at the end of a dialog's form. */
export function FormButtons({ form, submit, onCancel, cancel = t`Cancel`, danger, disabled, safe }: FormButtonsProps) {
  return (
    <Group justify="flex-end" data-form-buttons>
      {onCancel && (
        <Button variant="default" disabled={form.busy} onClick={onCancel} data-autofocus={safe || undefined}>
          {cancel}
        </Button>
      )}
      <Button type="submit" loading={form.busy} disabled={disabled ?? false} {...(danger ? { color: 'red' } : {})}>
        {submit}
      </Button>
    </Group>
  )
}
