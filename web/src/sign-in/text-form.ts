import { type FormEvent, useId, useState } from 'react'
import type { FieldProblem } from '../design/error-summary.tsx'
import { fieldErrors, restOfError } from '../design/field-errors.ts'

interface TextFormOptions<Name extends string> {
  /** What stands in the fields at first, in the order of the page. */
  initial: Record<Name, string>
  /** What is said of a field that is empty. Fields without it may be. */
  required: Partial<Record<NoInfer<Name>, string>>
  /** Sends it. What it throws is told, at the fields that it is about. */
  send: (values: Record<Name, string>) => Promise<void>
  /** Words for an error at a field, where the error itself names none. */
  explain?: (error: unknown) => Partial<Record<NoInfer<Name>, string>>
}

interface TextField {
  id: string
  value: string
  onChange: (event: { currentTarget: { value: string } }) => void
  error: string | undefined
  /** The field of a password does not say it by itself. */
  'aria-invalid': true | undefined
  required: true
  withAsterisk: false
}

/** A form of texts: what stands in it, whether it is being sent, and what is wrong with it. */
export function useTextForm<Name extends string>({ initial, required, send, explain }: TextFormOptions<Name>) {
  const prefix = useId()
  const names = Object.keys(initial) as Name[]
  const [values, setValues] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Partial<Record<Name, string>>>({})
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [rest, setRest] = useState<unknown>(null)
  const idOf = (name: Name) => `${prefix}-${name}`

  const tell = (found: Partial<Record<Name, string>>) => {
    setWrong(found)
    setProblems(names.flatMap((name) => (found[name] ? [{ field: idOf(name), message: found[name] }] : [])))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setRest(null)
    const empty: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const words = required[name]
      if (words && values[name].trim() === '') empty[name] = words
    }
    tell(empty)
    if (Object.keys(empty).length > 0) return
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      const told = { ...(fieldErrors(error) as Partial<Record<Name, string>>), ...explain?.(error) }
      tell(told)
      setRest(Object.keys(explain?.(error) ?? {}).length > 0 ? null : restOfError(error, names))
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    busy,
    /** For `ErrorSummary`, on top. */
    problems,
    /** What no field can say. */
    rest,
    submit: (event: FormEvent) => void submit(event),
    set: (name: Name, value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setWrong(({ [name]: _, ...others }) => others as typeof wrong)
    },
    /** Empties the form again. */
    reset: () => {
      setValues(initial)
      tell({})
    },
    /** What an input of that name is given. */
    field: (name: Name): TextField => ({
      id: idOf(name),
      value: values[name],
      onChange: (event) => {
        const { value } = event.currentTarget
        setValues((before) => ({ ...before, [name]: value }))
        setWrong(({ [name]: _, ...others }) => others as typeof wrong)
      },
      error: wrong[name],
      'aria-invalid': wrong[name] ? true : undefined,
      required: true,
      withAsterisk: false,
    }),
  }
}
